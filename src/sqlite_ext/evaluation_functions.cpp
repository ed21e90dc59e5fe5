#include "sqlite_ext/evaluation_functions.hpp"

#include <exception>
#include <new>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "query/evaluations.hpp"
#include "sqlite_ext/values.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/store_error.hpp"

namespace fendex::sqlite_ext {

namespace {

/// A session closes when no table is connected. This connects a table, which stays connected until
/// the connection closes; else each call of a function would open the database again.
void keep_session(const SessionSlot& slot) {
    if (slot.is_open()) return;
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(slot.db(), "SELECT 1 FROM evaluation", -1, &statement, nullptr);
    sqlite3_finalize(statement);
}

std::optional<query::Verdict> verdict_on(SessionSlot& slot, const chess::AnyPosition& position) {
    keep_session(slot);
    const std::shared_ptr<Session> session = slot.session();
    store::StoreReader* const readers[] = {&session->reader()};
    return query::Evaluations(readers).verdict(position);
}

void evaluation(sqlite3_context* context, const query::Verdict& verdict) {
    set_result(context, query::score_text(verdict.score));
}
void eval_cp(sqlite3_context* context, const query::Verdict& verdict) {
    if (!verdict.score.is_mate) set_result(context, verdict.score.value);
}
void eval_mate(sqlite3_context* context, const query::Verdict& verdict) {
    if (verdict.score.is_mate) set_result(context, verdict.score.value);
}
void eval_depth(sqlite3_context* context, const query::Verdict& verdict) {
    set_result(context, json::known(verdict.depth));
}

template <void (*kSetResult)(sqlite3_context*, const query::Verdict&)>
void call(sqlite3_context* context, int count, sqlite3_value** values) {
    for (int i = 0; i < count; ++i) {
        if (is_null(values[i])) return;  // the result stays NULL
    }
    try {
        auto& slot = *static_cast<std::shared_ptr<SessionSlot>*>(sqlite3_user_data(context));
        const auto verdict =
            verdict_on(*slot, position_of(values[0], count > 1 ? values[1] : nullptr));
        if (verdict) kSetResult(context, *verdict);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    } catch (const std::exception& problem) {
        sqlite3_result_error(context, problem.what(), -1);
    }
}

void forget_slot(void* slot) { delete static_cast<std::shared_ptr<SessionSlot>*>(slot); }

}  // namespace

void register_evaluation_functions(sqlite3* db, const std::shared_ptr<SessionSlot>& slot) {
    struct Named {
        const char* name;
        void (*call)(sqlite3_context*, int, sqlite3_value**);
    };
    static constexpr Named kFunctions[] = {{"evaluation", call<evaluation>},
                                           {"eval_cp", call<eval_cp>},
                                           {"eval_mate", call<eval_mate>},
                                           {"eval_depth", call<eval_depth>}};
    for (const Named& function : kFunctions) {
        for (const int arguments : {1, 2}) {
            // If this fails, SQLite has already called the destructor.
            const int rc = sqlite3_create_function_v2(
                db, function.name, arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                std::make_unique<std::shared_ptr<SessionSlot>>(slot).release(), function.call,
                nullptr, nullptr, forget_slot);
            // SQLITE_BUSY: as in register_functions().
            if (rc != SQLITE_OK && rc != SQLITE_BUSY) {
                throw store::StoreError(store::StoreError::kOther,
                                        std::string(function.name) + ": " + sqlite3_errmsg(db));
            }
        }
    }
}

}  // namespace fendex::sqlite_ext
