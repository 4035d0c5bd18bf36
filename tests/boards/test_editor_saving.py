"""How the editor's page saves: nothing is lost while answers are slow, late, refused, or missing."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.boards.test_editor_merge import answer_with_modules

SCRIPT = """async (steps) => {
  const { Draft } = await import("/static/js/editor/draft.js");
  const log = [];
  const at = (version, name, more) => Object.assign({
    version, board_version: 1, content: { name }, published: { name: "old" }, is_draft: true, base: null, saved_ms: 1,
    saved_by: "Ana",
  }, more);
  const answers = [];
  const held = [];
  window.fetch = (address, options) => {
    if (!options.method) return Promise.reject(new TypeError("quiet"));
    const body = JSON.parse(options.body);
    log.push([address, body.version, body.content ? body.content.name : ""]);
    const next = answers.shift();
    const give = () => {
      if (!next) throw new TypeError("no connection");
      const headers = { "Content-Type": "application/json" };
      return new Response(JSON.stringify(next.body), { status: next.status || 200, headers });
    };
    if (!next || !next.waits) return Promise.resolve().then(give);
    return new Promise((done) => held.push(() => done(give())));
  };
  const said = [];
  let draft;
  const on = {
    status: (name) => said.push(name),
    theirs: (base, state) => draft.change({ name: state.content.name + " and " + draft.content.name }),
    editors: () => {},
    gone: () => said.push("gone"),
  };
  const urls = { draft: "draft", publish: "publish", discard: "discard" };
  const begin = at(0, "old", { is_draft: false });
  draft = new Draft({ state: begin, urls, csrf: "x" }, on);
  clearInterval(draft.looking);
  const run = new Function("draft", "at", "answers", "held", `return (async () => { ${steps} })()`);
  const result = await run(draft, at, answers, held);
  clearTimeout(draft.timer);
  return JSON.stringify({ log, said, result, agreed: draft.agreed.name, isDirty: draft.isDirty });
}"""


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.route("**/*", answer_with_modules)
    page.goto("http://testserver/")
    yield page
    page.close()


def told(page: Page, steps: str) -> Any:
    """What was sent, what was said, and what the steps returned."""
    return json.loads(page.evaluate(SCRIPT, steps))


def test_what_is_changed_while_a_save_is_under_way_is_saved_next(blank: Page) -> None:
    found = told(
        blank,
        """answers.push({ waits: true, body: { state: at(1, "one") } }, { body: { state: at(2, "two") } });
        draft.change({ name: "one" });
        const saving = draft.save();
        await new Promise((done) => setTimeout(done));
        draft.change({ name: "two" });
        held.shift()();
        return await saving;""",
    )

    assert found["log"] == [["draft", 0, "one"], ["draft", 1, "two"]]
    assert (found["result"], found["isDirty"], found["said"][-1]) == (True, False, "saved")


def test_what_is_changed_while_it_is_published_stays_to_be_saved(blank: Page) -> None:
    found = told(
        blank,
        """answers.push({ body: { state: at(1, "one") } },
          { waits: true, body: { state: at(2, "one", { is_draft: false, board_version: 2 }) } },
          { body: { state: at(3, "two", { board_version: 2 }) } });
        draft.change({ name: "one" });
        const publishing = draft.publish();
        await new Promise((done) => setTimeout(done, 20));
        draft.change({ name: "two" });
        held.shift()();
        return [await publishing, draft.isDirty, await draft.save()];""",
    )

    assert found["log"] == [["draft", 0, "one"], ["publish", 1, ""], ["draft", 2, "two"]]
    assert (found["result"], found["isDirty"]) == ([True, True, True], False)


def test_a_discarded_draft_is_not_saved_again(blank: Page) -> None:
    found = told(
        blank,
        """answers.push({ waits: true, body: { state: at(2, "old", { is_draft: false }) } });
        draft.change({ name: "one" });
        const discarding = draft.discard();
        await new Promise((done) => setTimeout(done));
        draft.saveIn(0);
        await new Promise((done) => setTimeout(done, 20));
        held.shift()();
        return [await discarding, await draft.save(), draft.content.name];""",
    )

    assert found["log"] == [["discard", 0, ""]]
    assert found["result"] == [True, True, "old"]


def test_who_was_slower_merges_and_saves_on_top(blank: Page) -> None:
    found = told(
        blank,
        """answers.push({ status: 409, body: { state: at(5, "theirs") } }, { body: { state: at(6, "both") } });
        draft.change({ name: "mine" });
        return await draft.save();""",
    )

    assert found["log"] == [["draft", 0, "mine"], ["draft", 5, "theirs and mine"]]
    assert (found["result"], found["agreed"]) == (True, "theirs and mine")


def test_nothing_is_saved_while_somebody_is_asked_which_to_keep(blank: Page) -> None:
    found = told(
        blank,
        """draft.on.theirs = () => { draft.isAsking = true; };
        answers.push({ status: 409, body: { state: at(5, "theirs") } });
        draft.change({ name: "mine" });
        return [await draft.save(), await draft.publish(), draft.leave()];""",
    )

    assert found["log"] == [["draft", 0, "mine"]]
    assert found["result"] == [False, False, False]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("undefined", "not_saved"),
        ("{ status: 503, body: {} }", "not_saved"),
        ("{ status: 403, body: {} }", "signed_out"),
        ('{ status: 400, body: { error: "No." } }', "refused"),
        ("{ status: 404, body: {} }", "gone"),
    ],
)
def test_what_is_not_saved_is_said_kept_and_warned_of(blank: Page, answer: str, words: str) -> None:
    found = told(
        blank,
        f"""answers.push({answer});
        draft.change({{ name: "mine" }});
        return [await draft.save(), draft.leave(), draft.content.name];""",
    )

    assert (found["said"][-1], found["isDirty"]) == (words, True)
    assert found["result"] == [False, False, "mine"]


def test_a_page_that_closes_sends_what_it_has_unless_others_are_there(blank: Page) -> None:
    found = told(
        blank,
        """answers.push({ body: { state: at(1, "mine") } });
        draft.change({ name: "mine" });
        draft.others = ["Ben"];
        const withBen = draft.leave();
        draft.others = [];
        return [withBen, draft.leave()];""",
    )

    assert found["result"] == [False, True]
    assert found["log"] == [["draft", 0, "mine"]]
