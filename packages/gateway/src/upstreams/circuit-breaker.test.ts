import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.js";

const options = { failures: 2, openTime: 1000 };

/** A circuit that opened at time 0. */
function opened() {
  const breaker = new CircuitBreaker(options);
  for (const sent of [breaker.begin(0), breaker.begin(0)]) breaker.failed(sent, 0);
  return breaker;
}

describe("a circuit breaker", () => {
  it("opens for a time after consecutive failures", () => {
    const breaker = new CircuitBreaker(options);
    breaker.failed(breaker.begin(0), 0);
    breaker.succeeded(breaker.begin(0));
    breaker.failed(breaker.begin(0), 0);
    expect(breaker.state(0)).toBe("closed");
    breaker.failed(breaker.begin(0), 0);
    expect([0, 999, 1000].map((now) => breaker.state(now))).toEqual(["open", "open", "half-open"]);
    expect([0, 400, 1500].map((now) => breaker.waitMs(now))).toEqual([1000, 600, 0]);
  });

  it("then lets one request through, whose failure opens it again", () => {
    const breaker = opened();
    const probe = breaker.begin(1000);
    expect(breaker.state(1001)).toBe("open");
    breaker.failed(probe, 1500);
    expect([breaker.state(2499), breaker.state(2500)]).toEqual(["open", "half-open"]);
  });

  it("closes when that answer begins, and resets its failures when it ends", () => {
    const breaker = opened();
    breaker.answered(breaker.begin(1000));
    expect(breaker.state(1001)).toBe("closed");
    breaker.failed(breaker.begin(1002), 1002);
    expect(breaker.state(1003)).toBe("open");
    const sent = breaker.begin(2002);
    breaker.answered(sent);
    breaker.succeeded(sent);
    breaker.failed(breaker.begin(2003), 2003);
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
    for (const sent of [breaker.begin(0), breaker.begin(0)]) breaker.failed(sent, 0);
    breaker.answered(early);
    breaker.succeeded(early);
    expect([breaker.state(999), breaker.failures]).toEqual(["open", 2]);
    breaker.begin(1000);
    breaker.undecided(early);
    expect(breaker.state(1001)).toBe("open");
  });

  it("ignores the failures of earlier requests, during its probe and after it", () => {
    const breaker = new CircuitBreaker(options);
    const early = Array.from({ length: 4 }, () => breaker.begin(0));
    const [first, second, third, fourth] = early;
    for (const sent of [first, second]) breaker.failed(sent!, 0);
    const probe = breaker.begin(1000);
    breaker.failed(third!, 1001);
    expect([breaker.state(1002), breaker.waitMs(1002)]).toEqual(["open", 0]);
    breaker.succeeded(probe);
    expect([breaker.state(1003), breaker.failures]).toEqual(["closed", 0]);
    for (const sent of [third, fourth]) breaker.failed(sent!, 1004);
    expect([breaker.state(1005), breaker.failures]).toEqual(["closed", 0]);
  });
});
