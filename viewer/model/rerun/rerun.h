// Runs the demo of a recording again with other settings, in virtual time, as a child process in the background.
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

/// Directories of the demo programs labNN_demo, set by `./lab view`; never taken from a recording.
struct DemoPrograms {
    std::filesystem::path reference;  ///< empty: unknown
    std::filesystem::path mine;       ///< built from the student's own files; empty: unknown, or the same
};
/// From $FIBERSCOPE_DEMOS and $FIBERSCOPE_DEMOS_MINE.
DemoPrograms programs_of_environment();

class Rerun {
  public:
    explicit Rerun(DemoPrograms programs, ProgramLimits limits = {});
    ~Rerun();
    Rerun(const Rerun&) = delete;
    Rerun& operator=(const Rerun&) = delete;

    /// Requests the settings from the demo that made this recording, unless they are known; said() is set if there is
    /// none.
    void ask(const trace::Trace& trace, Language language);
    /// Runs it with the current settings, using the student's own files if mine(). Kills a program that still runs.
    void run(Language language);
    /// Whether a program runs.
    bool busy() const noexcept { return program_ != nullptr; }
    /// Polls without blocking: returns the new recording once it is complete; always the same file for one demo.
    std::optional<std::filesystem::path> poll(Language language);

    std::vector<Knob>& knobs() noexcept { return knobs_; }
    bool& mine() noexcept { return mine_; }
    bool knows_mine() const noexcept { return !programs_.mine.empty(); }
    /// "04 mixed"; empty before ask().
    const std::string& demo() const noexcept { return demo_; }
    /// The last result, in one sentence; empty if there is none.
    const std::string& said() const noexcept { return said_; }

  private:
    std::filesystem::path program() const;
    /// Returns false and sets said() on failure.
    bool make_folder(Language language);
    void start(const std::vector<std::string>& arguments, Language language);
    void take_knobs(const std::string& printed, Language language);
    std::string in_words(const ProgramEnd& end, Language language) const;

    const DemoPrograms programs_;
    const ProgramLimits limits_;
    std::filesystem::path folder_;  ///< created on demand, removed at the end
    std::string lab_, name_, demo_, said_;
    AsRecorded recorded_;
    std::vector<Knob> knobs_;
    bool mine_ = false;
    bool lists_ = false;  ///< the running program lists its settings
    std::unique_ptr<Program> program_;
};

}  // namespace fiberscope::viewer
