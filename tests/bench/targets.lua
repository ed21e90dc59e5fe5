-- For wrk: asks for the targets of the file that $FENDEX_TARGETS names, one after the other, each
-- thread from another place, and prints the figures on one line.
local requests = {}
local at = 0

function init()
    for line in io.lines(os.getenv("FENDEX_TARGETS")) do
        requests[#requests + 1] = wrk.format("GET", line)
    end
    math.randomseed(os.time())
    at = math.random(#requests)
end

function request()
    at = at % #requests + 1
    return requests[at]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("FIGURES %.1f %.3f %.3f %d\n",
        summary.requests / summary.duration * 1e6,
        latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
