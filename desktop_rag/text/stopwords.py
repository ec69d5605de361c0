"""Words that say nothing about what a question is looking for."""

from __future__ import annotations

import re

ENGLISH_STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been
    before being below between both but by can could did do does doing down during each
    few for from further had has have having he her here hers herself him himself his how
    i if in into is it its itself just let may me might more most must my myself no nor
    not of off on once only or other ought our ours ourselves out over own please shall she
    should so some such tell than that the their theirs them themselves then there these
    they this those through to too under until up upon very was we were what when where
    whether which while who whom whose why will with would you your yours yourself
    yourselves ca wo
    """.split()  # noqa: SIM905  - a list of words is easier to read as text
)
"""The last two are what is left of "can't" and "won't"."""

CHINESE_QUESTION_WORDS = re.compile(
    "为什么|是什么|什么时候|什么样|什么|怎么样|怎么|怎样|如何|多少|哪些|哪里|哪个|哪一|是否|请问|吗|呢"
)
"""Cut out of Chinese questions: nDCG@10 of keywords alone .984 to .989 (cmrc2018), .965
to .968 (xquad_zh)."""

CHINESE_STOP_CHARACTERS = frozenset("的了是在有和与之为及或也就都而于被把对从以其这那几谁")
"""Left out when they stand alone in a question."""

CHINESE_FUNCTION_WORDS = frozenset(
    """
    的 了 是 在 有 和 与 或 及 以 并 等 将 会 能 可 可以 不 没 没有 被 把 对 从 到
    于 为 之 其 他 她 它 我 你 您 我们 你们 他们 她们 它们 这 那 这个 那个 这些 那些
    个 一个 一种 中 上 下 里 什么 哪 哪个 哪些 哪里 哪儿 哪一 哪一个 谁 多少 几 怎么
    怎样 怎么样 如何 为什么 为何 何 何时 何地 什么时候 时候 是否 请问 请 吗 呢 吧 啊
    都 也 就 而 但 还 又 很 更 最 所 由 向 给 让 使 用 来 去 说 要 想 应该 需要 必须
    """.split()  # noqa: SIM905  - a list of words is easier to read as text
)
"""Left out when a question is put into another language word by word."""
