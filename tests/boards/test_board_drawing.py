"""A change on a board redraws what it changed, where it stands, and asks the page for no more than that needs."""

from tests.boards import fake_feeds
from tests.boards.conftest import Show


def test_only_what_changed_is_touched(show: Show) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    shown.page.evaluate("""() => {
      window.touched = new Set();
      new MutationObserver((list) => list.forEach((each) => {
        const node = each.target.nodeType === 1 ? each.target : each.target.parentElement;
        const card = node && node.closest(".queue-card");
        if (card) window.touched.add(card.dataset.key);
      })).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    }""")

    shown.news("queues", {"queue:504": fake_feeds.queue(3, available=1)})
    shown.settle()

    touched = set(shown.page.evaluate("() => Array.from(window.touched)"))
    assert "504" in touched
    assert touched <= {"501", "502", "503", "504"}
    assert shown.text('[data-key="504"] .queue-card-available') == "1 of 4 available"


def test_agents_who_become_available_change_the_dots_that_stand_there(show: Show) -> None:
    shown = show()
    shown.fill(4, 6, 3)
    dots, bar = (shown.page.locator(f'[data-key="{number}"] .dots') for number in (504, 501))
    filled = "(node) => Array.from(node.children, (dot) => Number(dot.classList.contains('is-filled'))).join('')"
    assert dots.evaluate(filled) == "1111"
    shown.page.evaluate("() => document.querySelectorAll('.dots i').forEach((dot) => (dot.was = true))")

    shown.news("queues", {"queue:504": fake_feeds.queue(3, available=1), "queue:501": fake_feeds.queue(0, available=6)})
    shown.settle()

    assert dots.evaluate(filled) == "1000"
    assert bar.evaluate("(node) => node.firstElementChild.style.getPropertyValue('--share')") == "0.5"
    assert shown.page.evaluate(
        "() => ['504', '501'].every((key) => document.querySelector(`[data-key='${key}'] i`).was)"
    )

    shown.news("queues", {"queue:504": fake_feeds.queue(3, agents=2, available=1), "queue:501": fake_feeds.queue(3)})
    shown.settle()

    assert [dots.evaluate(filled), bar.evaluate(filled)] == ["10", "1111"]


def test_the_page_is_asked_for_its_size_once_a_second_and_not_by_each_change(show_tv: Show) -> None:
    tv = show_tv()
    tv.fill(4, 6, 3)
    tv.page.evaluate("""() => {
      window.asked = 0;
      const place = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "offsetTop");
      Object.defineProperty(HTMLElement.prototype, "offsetTop", {
        get() { window.asked += 1; return place.get.call(this); },
      });
    }""")

    begin = tv.page.evaluate("() => performance.now()")
    for waiting in range(20):
        tv.news("queues", {"queue:504": fake_feeds.queue(3, waiting=waiting)})
        tv.drawn()
    seconds, asked = tv.page.evaluate("(begin) => [(performance.now() - begin) / 1000, window.asked]", begin)

    assert tv.text('[data-key="504"] .queue-card-figure') == "19"
    assert asked <= seconds + 1


def test_a_board_makes_room_at_once_for_what_grows_above_it(show_tv: Show) -> None:
    tv = show_tv()
    tv.fill(4, 6, 3)
    tv.page.evaluate("() => { for (let id = 0; id < 1000; id += 1) clearInterval(id); }")  # no second passes
    lowest = (
        "Math.max(...Array.from(document.querySelectorAll('.card'), (card) => card.getBoundingClientRect().bottom))"
    )

    tv.page.evaluate("() => (document.querySelector('.alert-line').style.height = '300px')")

    tv.page.wait_for_function(
        f"() => document.getElementById('content').offsetTop >= 300 && {lowest} <= innerHeight", timeout=5000
    )
