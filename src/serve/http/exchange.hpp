// One request and its answer: decides whether the request may be answered, plans it, and writes the
// text of the answer. Knows nothing of sockets and time limits. For one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "serve/http/answer_head.hpp"
#include "serve/http/arriving_request.hpp"
#include "serve/http/job.hpp"
#include "serve/http/server_state.hpp"

namespace fendex::serve {

/// The other end of a connection.
struct Peer {
    std::string address;
    bool near = false;  // it is this machine
};

class Exchange {
  public:
    Exchange(ServerState& server, const Peer& peer);

    /// Takes the bytes of the request: first those of the head, then those of the body.
    ArrivingRequest arriving;

    /// Returns why the request is refused; nullopt if it is not. Call it when the head has arrived.
    [[nodiscard]] std::optional<Refusal> head_refusal() const;
    /// Returns the job that answers the request, or the answer if it is known at once. Call it when
    /// the whole request has arrived.
    [[nodiscard]] std::variant<std::shared_ptr<Job>, Answer> plan();
    [[nodiscard]] Answer refused(const Refusal& why) const;
    [[nodiscard]] Answer failed(std::exception_ptr why) const;

    /// Sets the text of the answer's head, and of its body or the body's first piece. `goes_on`:
    /// more pieces will follow. Sets `keep_alive` to false if the end of the connection marks the
    /// end of the body.
    void begin_answer(Answer answer, bool goes_on, std::string_view date, bool& keep_alive,
                      std::string& head, std::string& body);
    /// Sets the text of a further piece.
    void next_piece(std::string piece, bool last, std::string& body);
    [[nodiscard]] bool has_body() const { return has_body_; }

    /// Counts and logs the request, with the answer's status unless `status` is not 0.
    void end(unsigned status = 0);

  private:
    [[nodiscard]] Asker asker() const;
    [[nodiscard]] std::optional<Task> own_task(const Request& request) const;
    [[nodiscard]] Answer preflight() const;
    void add_headers(const Answer& answer, std::string& out) const;

    ServerState& server_;
    const Peer& peer_;
    Clock::time_point begun_ = Clock::now();
    std::string route_;
    std::string tag_;
    Framing framing_ = Framing::kLength;
    bool has_body_ = true;
    unsigned status_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::serve
