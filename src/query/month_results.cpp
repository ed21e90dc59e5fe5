#include "query/month_results.hpp"

#include <utility>

namespace fendex::query {

namespace {

/// Adds the results of one month. Skips a month of games without a result.
void add_results(const store::Engine::Month& sums, MonthResults& months) {
    const codec::ResultCounts& results = sums.results;
    if (results.decided() == 0) return;
    Results& month = months[sums.month];
    month.white += results.white();
    month.draws += results.draws();
    month.black += results.black();
}

}  // namespace

void add_month_results(store::StoreReader& reader, PositionSearch& search,
                       const chess::AnyPosition& position, MonthResults& months,
                       std::stop_token stop) {
    const Question question = Question::of(position);
    for (const store::Engine::Month& each :
         reader.engine().months(question.keys(), search.matcher().filter(), std::move(stop))) {
        add_results(each, months);
    }
}

}  // namespace fendex::query
