/* Put into the TV's page before its own scripts: hears its socket, and can give it updates as the server would. */
(() => {
  const QUEUES = 12, PEOPLE = 40, CALLS = 30, AT_A_TIME = 50;
  const held = new Map();
  let socket = null;
  let number = 0;
  let turn = 0; // of each feed

  window.WebSocket = class extends window.WebSocket {
    constructor(address) {
      super(address);
      socket = this;
      held.clear();
      this.addEventListener("message", (message) => {
        const frame = JSON.parse(message.data);
        if (frame.feed) held.set(frame.feed, frame.id);
      });
    }
  };

  window.isReady = () => ["queues", "people", "wall"].every((feed) => held.has(feed));

  function tell(feed, set, del) {
    const frame = { feed, id: number + "-bench", prev: held.get(feed), set, del: del || [] };
    socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  function queue() {
    const name = String(700 + turn % QUEUES), now = Date.now(), waiting = turn % 7;
    const targets = { longest_wait: [60, 120], waiting: [3, 6], available_below: [2, 1] };
    const level = waiting > 5 ? "late" : waiting > 2 ? "watch" : "normal";
    const set = { poll: { read_at: now, tried_at: now, failing_since: null, failure: "", next_try_at: null, interval_seconds: 5, skipped_rows: 0 } };
    set["about:" + name] = { number: name, name: "Queue " + name, order: turn % QUEUES, targets };
    set["queue:" + name] = {
      waiting, longest_wait: waiting * 11, average_wait: waiting * 6, agents: 8, available: turn % 5, unavailable: 1,
      level, reason: level === "normal" ? "" : "waiting", since: now - 5000, missing_since: null,
    };
    const minute = Math.floor(now / 60000);
    set["trend:" + name] = {
      until: minute * 60000,
      waiting: Array.from({ length: 60 }, (_, index) => (number + index) % 9),
      late: Array.from({ length: 96 }, (_, index) => (number + index) % 3),
    };
    tell("queues", set);
  }

  function person() {
    const extension = String(101 + turn % PEOPLE), states = ["idle", "ringing", "talking"];
    const state = states[turn % 3];
    const document = { extension, name: "Person " + extension, state, since: Date.now(), direction: state === "idle" ? "" : "in", with: "" };
    const set = { events: { state: "live", since: 1, heard_at: Date.now() } };
    set[extension] = document;
    tell("people", set);
  }

  function call() {
    const now = Date.now(), set = { events: { state: "live", since: 1, heard_at: now } };
    set[number] = {
      id: number, call: "c" + number, state: "ringing", direction: "in",
      from: { name: "", number: "••• ••" + number % 100, extension: "" },
      to: { name: "Person 101", number: "", extension: "101" },
      queue: null, since: now, started: now, unconfirmed: false,
    };
    tell("wall", set, [String(number - 3 * CALLS)]);
  }

  /* So many updates, with a frame painted after every few; resolves when the last one is painted. */
  window.update = async (count) => {
    for (let done = 1; done <= count; done += 1) {
      number += 1;
      turn = Math.floor(number / 3);
      [queue, person, call][number % 3]();
      if (done % AT_A_TIME === 0) await new Promise((painted) => window.requestAnimationFrame(painted));
    }
    await new Promise((painted) => setTimeout(painted, 500));
  };
})();
