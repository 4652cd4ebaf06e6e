// Runs the demo of a recording again, with its knobs turned: in virtual time, as a program of its own, while the window
// goes on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/read/trace.h"
#include "viewer/model/rerun/child.h"
#include "viewer/model/rerun/knobs.h"

namespace fiberscope::viewer {

/// Where the programs of the demos are: labNN_demo. `./lab view` says so; nothing is guessed from a recording.
struct DemoPrograms {
    std::filesystem::path reference;  ///< empty: not known
    std::filesystem::path mine;       ///< of the student's own files; empty: not known, or the same
};
/// Of $FIBERSCOPE_DEMOS and $FIBERSCOPE_DEMOS_MINE.
DemoPrograms programs_of_environment();

class Rerun {
  public:
    explicit Rerun(DemoPrograms programs, ProgramLimits limits = {});
    ~Rerun();
    Rerun(const Rerun&) = delete;
    Rerun& operator=(const Rerun&) = delete;

    /// Asks the demo that made this recording for its knobs, unless they are known; said() tells if there is none.
    void ask(const trace::Trace& trace, Language language);
    /// Runs it with the knobs as they stand, by the student's own files if mine() says so. One that runs is ended.
    void run(Language language);
    /// Whether a program runs.
    bool busy() const noexcept { return program_ != nullptr; }
    /// Looks, and does not wait: the new recording, once it is there; always the same file for one demo.
    std::optional<std::filesystem::path> poll(Language language);

    std::vector<Knob>& knobs() noexcept { return knobs_; }
    bool& mine() noexcept { return mine_; }
    bool knows_mine() const noexcept { return !programs_.mine.empty(); }
    /// "04 mixed"; empty before ask().
    const std::string& demo() const noexcept { return demo_; }
    /// What happened last, in one sentence; empty if there is nothing to tell.
    const std::string& said() const noexcept { return said_; }

  private:
    std::filesystem::path program() const;
    /// False, and said() tells why, if there can be none.
    bool make_folder(Language language);
    void start(const std::vector<std::string>& arguments, Language language);
    void take_knobs(const std::string& printed, Language language);
    std::string in_words(const ProgramEnd& end, Language language) const;

    const DemoPrograms programs_;
    const ProgramLimits limits_;
    std::filesystem::path folder_;  ///< made when it is needed, removed at the end
    std::string lab_, name_, demo_, said_;
    AsRecorded recorded_;
    std::vector<Knob> knobs_;
    bool mine_ = false;
    bool lists_ = false;  ///< the program that runs was asked for the knobs
    std::unique_ptr<Program> program_;
};

}  // namespace fiberscope::viewer
