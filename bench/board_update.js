/* Put into the TV's page before its own scripts: plays the server for 40 queues and 300 people, and times the page's script. */
(() => {
  const QUEUES = 40, PEOPLE = 300, CALLS = 12;
  const STATES = ["talking", "idle", "ringing", "idle", "talking", "unknown"];
  const entries = {};
  let socket = null;
  let board = "";
  let turn = 0;
  let spent = 0;
  let frames = [];

  const paint = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => paint((at) => timed(() => act(at)));

  function timed(act) {
    const begin = performance.now();
    act();
    spent += performance.now() - begin;
  }

  class Socket {
    constructor() {
      socket = this;
      this.readyState = Socket.OPEN;
      setTimeout(join, 0);
    }
    send() {}
    close() {}
  }
  Object.assign(Socket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
  window.WebSocket = Socket;

  const hear = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
  const ping = () => hear({ ping: Date.now(), release: "bench" }); // as the server does every 4 s: after 11 s without, all figures are old

  function join() {
    board = JSON.parse(document.getElementById("page").textContent).feeds.board;
    ping();
    setInterval(ping, 4000);
    const feeds = documents();
    Object.keys(feeds).forEach((feed) => {
      entries[feed] = 1;
      hear({ feed, id: "1-" + feed, snapshot: feeds[feed] });
    });
  }

  function documents() {
    const now = Date.now(), feeds = { queues: {}, people: {}, wall: {} };
    const events = { state: "live", since: 1, heard_at: now };
    feeds.queues.poll = { read_at: now, tried_at: now, failing_since: null, failure: "", next_try_at: null, interval_seconds: 5, skipped_rows: 0 };
    for (let index = 0; index < QUEUES; index += 1) queue(feeds.queues, index, now);
    feeds.people.events = feeds.wall.events = events;
    for (let index = 0; index < PEOPLE; index += 1) {
      const state = STATES[(index + turn) % STATES.length], extension = String(1001 + index);
      feeds.people[extension] = { extension, name: "Person Number" + index, state, since: now - index * 900, direction: "in", with: "", status: null };
    }
    for (let index = 0; index < CALLS; index += 1) {
      feeds.wall[index] = {
        id: index, call: "c" + index, state: index % 3 ? "talking" : "ringing", direction: "in",
        from: { name: "", number: "••• ••" + index, extension: "" }, to: { name: "Person", number: "", extension: String(1001 + index) },
        via: [], queue: null, since: now - turn, started: now - turn, unconfirmed: false,
      };
    }
    feeds[board] = { today: { at: now, since: now, late_seconds: turn * 60, ended: 90, unanswered: turn } };
    return feeds;
  }

  function queue(found, index, now) {
    const number = String(700 + index), waiting = (index + turn) % 7, level = waiting > 5 ? "late" : waiting > 3 ? "watch" : "normal";
    found["about:" + number] = { number, name: "Queue " + number, order: index, targets: { longest_wait: [60, 120], waiting: [4, 6], available_below: [2, 1] } };
    found["queue:" + number] = {
      waiting, longest_wait: waiting * 11 + turn, average_wait: waiting * 6, agents: 8, available: (index + turn) % 5, unavailable: 1,
      level, reason: level === "normal" ? "" : "waiting", since: now - 90000, missing_since: null,
    };
    found["trend:" + number] = {
      until: now, waiting: Array.from({ length: 60 }, (_, at) => (turn + at) % 9), late: Array.from({ length: 96 }, (_, at) => (turn + at) % 3),
    };
  }

  /* Everything changes at once; answers the milliseconds of script from the frames' arrival to the page's last change. */
  window.updateEverything = async () => {
    turn += 1;
    spent = 0;
    const feeds = documents();
    Object.keys(feeds.queues).filter((key) => /^(trend|about):/.test(key)).forEach((key) => delete feeds.queues[key]); // they come once a minute, or less
    frames = Object.keys(feeds).map((feed) => {
      const number = entries[feed];
      entries[feed] = number + 1;
      return JSON.stringify({ feed, id: number + 1 + "-" + feed, prev: number + "-" + feed, set: feeds[feed], del: [] });
    });
    timed(() => frames.forEach((data) => socket.onmessage({ data })));
    await new Promise((done) => paint(() => setTimeout(done, 50)));
    return spent;
  };

  /* As updateEverything(), and the least that any page could do for it: read the same frames, and write the texts and attributes that
  it changed, without finding out which. Answers the milliseconds of both. */
  window.updateAndLeast = async () => {
    const changed = new Map();
    const note = (records) => records.forEach(({ target, attributeName, oldValue }) => {
      const names = changed.get(target) || new Map();
      if (!names.has(attributeName)) names.set(attributeName, oldValue);
      changed.set(target, names);
    });
    const observer = new MutationObserver(note);
    observer.observe(document.body, { subtree: true, characterData: true, attributes: true, characterDataOldValue: true, attributeOldValue: true });
    const whole = await window.updateEverything();
    note(observer.takeRecords());
    observer.disconnect();
    const writes = [];
    changed.forEach((names, node) => names.forEach((before, name) => {
      const now = name ? node.getAttribute(name) : node.data;
      if (before !== null && now !== null && before !== now) writes.push({ node, name, before, now });
    }));
    const write = ({ node, name }, value) => (name ? node.setAttribute(name, value) : (node.data = value));
    writes.forEach((each) => write(each, each.before));
    await new Promise((done) => paint(() => setTimeout(done, 50))); // as an update does, they meet a page that is laid out
    const begin = performance.now();
    frames.forEach((data) => JSON.parse(data));
    writes.forEach((each) => write(each, each.now));
    return { whole, least: performance.now() - begin, writes: writes.length };
  };

  /* Milliseconds from the first byte of the page to the frame in which every queue stands. */
  window.firstPaint = () => new Promise((done) => {
    const look = () => {
      const known = document.querySelectorAll(".queue-card[data-level]:not([data-level=unknown])").length;
      if (known < QUEUES) paint(look);
      else done(performance.now() - performance.getEntriesByType("navigation")[0].responseStart);
    };
    look();
  });
})();
