"""Whole deals and whole games of Fear, from the pack to the settlement, on ints alone.

Plain functions, as in `layout` and `players.ways`, which they call: interpreted they are slow, compiled by
`kernel` they play millions. Seats are counted from eldest in the order of play. What a deal came to is
written into `row`, an array, in the order of DEAL or GAME, and then by seat; its moves into `moves`, where
that has room: a card by number or PASS, in Fear each card turned by its place and each card named.
"""

from collections.abc import MutableSequence, Sequence

from cagnotte.layout import all_begun, bonus, completes, playable, starts_after
from cagnotte.players.ways import choice
from cagnotte.study.dice import BELOW, begin, step, throw

Ints = MutableSequence[int]
PASS = -1
STEADY = 1  # a bot that is not is `random`

# A row: in the Fan Tan family `start` is the rank laid first; in Fear `left` are the cards still face down.
DEAL, DEAL_BY_SEAT = ("winner", "turns", "passes", "pool", "start", "bonus"), ("chips", "passes", "left")
GAME, GAME_BY_SEAT = ("winner", "turns", "spreads", "pool", "left"), ("chips",)
WINNER, TURNS, PASSES, POOL, START, BONUS = range(len(DEAL))
SPREADS, LEFT = 2, 4
DEAL_SEATS, GAME_SEATS = len(DEAL), len(GAME)  # where it goes on by seat
NO_BONUS, DECLINED, TAKEN, WON = range(4)  # what came of the bonus card (E3)


def pick(cards: int, number: int) -> int:
    """The card of a set by its number there, counted from 0."""
    for _ in range(number):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def paid(stack: int, due: int, debt: int) -> int:
    """What a player with this stack pays of what he owes (C3)."""
    return due if debt or stack >= due else stack


def shuffle(pack: Ints, counter: int, gain: int) -> int:
    """Order a pack anew (T3, F3); the counter after it."""
    for i in range(51, 0, -1):
        counter = counter + gain & BELOW
        j = throw(counter, i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return counter


def deal(
    key: int,
    number: int,
    players: int,
    opening: int,
    one_suit: int,
    with_bonus: int,
    chips: int,
    extra_ante: int,
    pay_left: int,
    debt: int,
    bots: Ints,
    pack: Ints,
    hands: Ints,
    stacks: Ints,
    row: Ints,
    moves: Ints,
) -> None:
    """One deal of the Fan Tan family, to which everybody sits down with so many chips (T4-T9, T14).

    `pack`, `hands` and `stacks` are room to work in.
    """
    for i in range(52):
        pack[i] = i
    counter, gain = begin(key, number), step(key, number)
    counter = shuffle(pack, counter, gain)
    won, passed, kept = DEAL_SEATS, DEAL_SEATS + players, DEAL_SEATS + 2 * players  # in the row, by seat
    for seat in range(players):
        hands[seat] = 0
        stacks[seat] = chips - 1  # T4
        row[passed + seat] = 0
    for i in range(52):
        hands[i % players] |= 1 << pack[i]  # T5
    pool = players
    for seat in range(players):
        if extra_ante and 52 % players and seat >= 52 % players:  # T6
            due = paid(stacks[seat], 1, debt)
            stacks[seat] -= due
            pool += due
    laid, starts, seat, turn, passes = 0, opening, 0, 0, 0
    fourth = PASS  # the start card for which a bonus card is offered
    row[BONUS] = NO_BONUS
    while True:
        fits = (bonus(laid, fourth) if fourth != PASS else playable(laid, starts, one_suit)) & hands[seat]
        if bots[seat] == STEADY:
            card = choice(hands[seat], fits, starts, one_suit, 1 if fourth != PASS else 0)
        else:
            ways = fits.bit_count() + (1 if fourth != PASS else 0)  # he may decline (E3)
            card = PASS
            if ways > 1:
                counter = counter + gain & BELOW
                chosen = throw(counter, ways)
                card = pick(fits, chosen) if chosen < fits.bit_count() else PASS
            elif fits:
                card = pick(fits, 0)
        if turn < len(moves):
            moves[turn] = card
        turn += 1
        if fourth != PASS:
            row[BONUS] = DECLINED if card == PASS else TAKEN
        if card == PASS:
            if fourth == PASS:  # T9
                due = paid(stacks[seat], 1, debt)
                stacks[seat] -= due
                pool += due
                row[passed + seat] += 1
                passes += 1
            fourth = PASS
            seat = seat + 1 if seat + 1 < players else 0
            continue
        if laid == 0:
            row[START] = card % 13 + 1
        starts = starts_after(card, laid, starts, one_suit)
        laid |= 1 << card
        hands[seat] &= ~(1 << card)
        if hands[seat] == 0:
            if fourth != PASS:
                row[BONUS] = WON
            break
        if with_bonus and fourth == PASS and starts >> card & 1 and all_begun(laid, starts):
            fourth = card  # E3
        elif not (one_suit and completes(laid, card)):  # P4
            fourth = PASS
            seat = seat + 1 if seat + 1 < players else 0
    for other in range(players):
        left = hands[other].bit_count()
        if pay_left:  # T14
            due = paid(stacks[other], left, debt)
            stacks[other] -= due
            pool += due
        row[kept + other] = left
    stacks[seat] += pool
    for other in range(players):
        row[won + other] = stacks[other] - chips
    row[WINNER], row[TURNS], row[PASSES], row[POOL] = seat, turn, passes, pool


def fear(
    key: int,
    number: int,
    players: int,
    stake: int,
    places: Ints,
    down: Ints,
    stacks: Ints,
    row: Ints,
    moves: Ints,
) -> None:
    """One game of Fear (F3-F11), in which all turn and name any card; its dealer is the last seat.

    The moves begin, at each spread, with the 52 cards by place, and the card that is named. `places`, `down`
    and `stacks` are room to work in: the card in each place, and the places of the cards face down.
    """
    counter, gain = begin(key, number), step(key, number)
    for seat in range(players):
        stacks[seat] = stake
    for place in range(52):
        places[place] = place
    seat, dealer, living, pool = 0, players - 1, players, 0
    turns, spreads, noted, left, feared = 0, 0, 0, 0, PASS
    while living > 1:
        if left == 0:  # F3, F10
            counter = shuffle(places, counter, gain)
            for place in range(52):
                down[place] = place
                if noted < len(moves):
                    moves[noted] = places[place]
                noted += 1
            spreads += 1
            left = 52
            counter = counter + gain & BELOW
            feared = places[throw(counter, 52)]  # F4
            if noted < len(moves):
                moves[noted] = feared
            noted += 1
            seat = dealer
            while True:  # F5
                seat = seat + 1 if seat + 1 < players else 0
                if stacks[seat]:
                    break
        counter = counter + gain & BELOW
        at = throw(counter, left)
        place = down[at]
        left -= 1
        down[at] = down[left]
        turns += 1
        if noted < len(moves):
            moves[noted] = place
        noted += 1
        if places[place] == feared:  # F7
            stacks[seat] -= 1
            pool += 1
            if stacks[seat] == 0:  # F9
                living -= 1
                if living == 1:  # F11
                    break
            if left == 1:  # F8
                feared = places[down[0]]
            elif left:
                counter = counter + gain & BELOW
                feared = places[down[throw(counter, left)]]
                if noted < len(moves):
                    moves[noted] = feared
                noted += 1
        dealer = seat
        while left:
            seat = seat + 1 if seat + 1 < players else 0
            if stacks[seat]:
                break
    winner = 0
    while stacks[winner] == 0:
        winner += 1
    row[WINNER], row[TURNS], row[SPREADS], row[POOL], row[LEFT] = winner, turns, spreads, pool, left
    for other in range(players):
        row[GAME_SEATS + other] = stacks[other] - stake + (pool if other == winner else 0)


def deals(
    key: int,
    first: int,
    count: int,
    players: int,
    opening: int,
    one_suit: int,
    with_bonus: int,
    chips: int,
    extra_ante: int,
    pay_left: int,
    debt: int,
    bots: Ints,
    room: Sequence[Ints],
    rows: Sequence[Ints],
    moves: Ints,
) -> None:
    """So many deals by number, a row each."""
    for i in range(count):
        deal(
            key, first + i, players, opening, one_suit, with_bonus, chips, extra_ante, pay_left, debt,
            bots, room[0], room[1], room[2], rows[i], moves,
        )  # fmt: skip


def fears(
    key: int,
    first: int,
    count: int,
    players: int,
    stake: int,
    room: Sequence[Ints],
    rows: Sequence[Ints],
    moves: Ints,
) -> None:
    """So many games of Fear by number, a row each."""
    for i in range(count):
        fear(key, first + i, players, stake, room[0], room[1], room[2], rows[i], moves)
