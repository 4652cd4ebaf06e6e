// Writes the events of generated traces, one per line, on a common clock.
#pragma once

#include <sstream>
#include <string>

namespace fiberscope::viewer::tests {

class TraceScript {
  public:
    /// `more`: further fields of the head.
    explicit TraceScript(const std::string& program, const std::string& more = "") {
        out_ << "{\"fiberscope\":1,\n\"meta\":{\"lab\":\"made\",\"program\":\"" << program
             << "\",\"clock\":\"virtual\",\"arch\":\"x86_64\"" << more << "},\n\"events\":[\n";
    }

    void spend(unsigned ns) { now_ += ns; }
    void event(const std::string& fields, unsigned machine = 0) {
        if (count_++ != 0) out_ << ",\n";
        out_ << "{\"t\":" << now_ << ",\"m\":" << machine << ",\"ev\":" << fields << "}";
    }
    void thread(unsigned co, const std::string& name, unsigned machine = 0) {
        event("\"spawn\",\"co\":" + std::to_string(co) + ",\"kind\":\"thread\",\"name\":\"" + name + "\"", machine);
    }
    void task(unsigned co, unsigned parent, const std::string& name, unsigned stack = 65536,
              const std::string& backend = "asm", const std::string& more = "", unsigned machine = 0) {
        event("\"spawn\",\"co\":" + std::to_string(co) + ",\"parent\":" + std::to_string(parent) +
                  ",\"kind\":\"task\",\"name\":\"" + name + "\",\"stack\":" + std::to_string(stack) +
                  ",\"backend\":\"" + backend + "\"" + more,
              machine);
    }
    void jump(unsigned from, unsigned to, const std::string& why, const std::string& left, const std::string& more = "",
              unsigned machine = 0) {
        event("\"switch\",\"from\":" + std::to_string(from) + ",\"to\":" + std::to_string(to) + ",\"why\":\"" + why +
                  "\",\"left\":\"" + left + "\"" + more,
              machine);
        spend(100);
    }
    void own(unsigned stack, const std::string& co) {
        event("\"own\",\"stack\":" + std::to_string(stack) + ",\"co\":" + co);
    }
    void copy(unsigned co, const char* direction, unsigned bytes, unsigned capacity, unsigned stack) {
        event("\"copy\",\"co\":" + std::to_string(co) + ",\"dir\":\"" + direction +
              "\",\"bytes\":" + std::to_string(bytes) + ",\"capacity\":" + std::to_string(capacity) +
              ",\"stack\":" + std::to_string(stack));
        spend(bytes / 16);
    }
    void access(unsigned co, unsigned offset, unsigned owner) {
        event("\"access\",\"co\":" + std::to_string(co) + ",\"stack\":0,\"offset\":" + std::to_string(offset) +
              ",\"owner\":" + std::to_string(owner));
        spend(200);
    }
    std::string finish() {
        out_ << "\n],\n\"end\":{\"events\":" << count_ << ",\"dropped\":0}}\n";
        return out_.str();
    }

  private:
    std::ostringstream out_;
    unsigned long long now_ = 0;
    unsigned count_ = 0;
};

}  // namespace fiberscope::viewer::tests
