import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.js";

const options = { failures: 2, openTime: 1000 };

/** A circuit that opened at time 0. */
function opened() {
  const breaker = new CircuitBreaker(options);
  breaker.failed(0);
  breaker.failed(0);
  return breaker;
}

describe("a circuit breaker", () => {
  it("opens for a time after consecutive failures", () => {
    const breaker = new CircuitBreaker(options);
    breaker.failed(0);
    breaker.succeeded(breaker.begin(0));
    breaker.failed(0);
    expect(breaker.state(0)).toBe("closed");
    breaker.failed(0);
    expect([0, 999, 1000].map((now) => breaker.state(now))).toEqual(["open", "open", "half-open"]);
    expect([0, 400, 1500].map((now) => breaker.waitMs(now))).toEqual([1000, 600, 0]);
  });

  it("then lets one request through, whose failure opens it again", () => {
    const breaker = opened();
    breaker.begin(1000);
    expect(breaker.state(1001)).toBe("open");
    breaker.failed(1500);
    expect([breaker.state(2499), breaker.state(2500)]).toEqual(["open", "half-open"]);
  });

  it("closes when that answer begins, and resets its failures when it ends", () => {
    const breaker = opened();
    breaker.answered(breaker.begin(1000));
    expect(breaker.state(1001)).toBe("closed");
    breaker.failed(1002);
    expect(breaker.state(1003)).toBe("open");
    const sent = breaker.begin(2002);
    breaker.answered(sent);
    breaker.succeeded(sent);
    breaker.failed(2003);
    expect(breaker.state(2004)).toBe("closed");
  });

  it("lets another request through if the client of that one left", () => {
    const breaker = opened();
    breaker.undecided(breaker.begin(1000));
    expect(breaker.state(1001)).toBe("half-open");
  });

  it("stays open if an earlier request succeeds, or its client leaves", () => {
    const breaker = new CircuitBreaker(options);
    const early = breaker.begin(0);
    for (const now of [0, 0]) breaker.failed(now);
    breaker.answered(early);
    breaker.succeeded(early);
    expect([breaker.state(999), breaker.failures]).toEqual(["open", 2]);
    breaker.begin(1000);
    breaker.undecided(early);
    expect(breaker.state(1001)).toBe("open");
  });
});
