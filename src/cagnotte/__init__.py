"""Five old card games about a pool of chips: Fear, Fan Tan, Five or Nine, Earl of Coventry, Play or Pay.

>>> import random, cagnotte
>>> fan_tan = cagnotte.game("fan-tan", players=4, passing="fined")
>>> state = fan_tan.start()
>>> state, events = cagnotte.play(fan_tan, state, fan_tan.draw(state, random.Random(7)))
>>> [str(event.seat) for event in events if isinstance(event, cagnotte.FirstDealer)]
['0']
"""

from cagnotte.cards import PACK, Card
from cagnotte.core import CHANCE, POOL, FirstDealer, Illegal, Paid, parse, perft, play, playout, replay
from cagnotte.games import GAMES, game

__all__ = [
    "CHANCE",
    "GAMES",
    "PACK",
    "POOL",
    "Card",
    "FirstDealer",
    "Illegal",
    "Paid",
    "game",
    "parse",
    "perft",
    "play",
    "playout",
    "replay",
]
