"""The end of a sheet: how the levels of a hand add up, pair by pair, or why it changes none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared.cli.language import language, say
from shared.cli.sheet import Sheet, cited
from shared.rules.basis import Text
from shared.rules.verdict import Pair, Term, Verdict, Why

WHY: dict[Why, Text] = {
    "table": Text("按升级表", "by the table"),
    "cap": Text("封顶", "cap"),
    "must_play": Text("必打级不升", "no gain at this level"),
    "penalty": Text("处罚", "penalty"),
    "stop": Text("止于必打级", "stop at a level to be played"),
    "failures": Text("屡打不过，退回", "failed there too often"),
}


def close(
    made: Sheet,
    verdict: Verdict,
    before: Mapping[Pair, str] | Mapping[str, str],
    called: Mapping[Pair, str],
    name_of: Callable[[str], Text],
) -> None:
    """The verdict in lines. before: levels as played, by pair; called: what each pair is called; name_of: a penalty by
    its code."""
    if verdict.void is not None:
        basis = cited(verdict.void.article, verdict.void.mark, changed=False)
        words = f"The hand is void and dealt again [{basis}]: it changes no levels."
        made.words(say(words, f"本副作废，重新发牌［{basis}］，不计升级。"), bold=True)
    elif verdict.lost_by is None and verdict.levels is not None:
        for pair, name in called.items():
            _sum(made, name, before[pair], verdict.levels[pair], [t for t in verdict.terms if t.who == pair], name_of)
    if verdict.won_by is None:
        return
    winner = called[verdict.won_by]
    if verdict.lost_by is None:
        made.words(say(f"{winner} has passed the top and wins the match.", f"{winner} 打过顶级，赢得本场。"), bold=True)
        return
    loser = next(name for pair, name in called.items() if pair != verdict.won_by)
    lost_by = _said(name_of(verdict.lost_by))
    made.words(
        say(f"{loser} loses the match ({lost_by}); {winner} wins.", f"{loser} 判负（{lost_by}）， {winner} 赢得本场。"),
        bold=True,
    )


def _sum(made: Sheet, name: str, before: str, after: str, terms: list[Term], name_of: Callable[[str], Text]) -> None:
    if not any(term.levels for term in terms):
        words = [say(f"{name}: no level gained, {after}", f"{name}：不升级，仍打 {after}")]
        words += [_term(term, name_of) for term in terms if term.penalty is not None]
        made.words(" ".join(words))
        return
    said = " ".join(_term(term, name_of) for term in terms)
    made.words(say(f"{name}: {before} {said} = {after}", f"{name}：{before} {said} ＝ {after}"))


def _term(term: Term, name_of: Callable[[str], Text]) -> str:
    """One term: what it adds, why, and the article."""
    why = WHY[term.why] if term.penalty is None else name_of(term.penalty)
    basis = cited(term.basis.article, term.basis.mark, term.basis.changed)
    if term.levels == 0 and term.penalty is not None:
        return say(f"(the deal is lost: {why.en} [{basis}])", f"（失庄：{why.zh}［{basis}］）")
    return f"{term.levels:+d} " + say(f"({why.en} [{basis}])", f"（{why.zh}［{basis}］）")


def _said(text: Text) -> str:
    return text.zh if language() == "zh" else text.en
