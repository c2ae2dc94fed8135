// The odds of Fear, reckoned in a worker as `study/odds.py` does it. `js/reckon.js` talks to it.
const PACK = 52;
const MOST = 1_600_000; // positions up to which the odds are reckoned, and not simulated
const GAMES = 50_000; // simulated beyond
const ROOM = 6_000_000; // numbers that are kept for the next question, at most
const TAIL = 1e-12; // games that last longer than this part of all do not count
const MOST_CHIPS = 10;

/** @typedef {{chips: number[], id: number, level: number, at: number, onward: Way | null, paid: Way | null, wins?: Float64Array[]}} Way
 * `wins`, by cards face down: the chances of all ways of its level, its own from `at` on */

/** The ways of the game that was reckoned last, by their chips: whoever follows a game asks for one after another. @type {Map<string, Way>} */
let kept = new Map();

self.onmessage = ({ data: { what, args } }) => {
  try {
    const does = /** @type {Record<string, (...args: any[]) => unknown>} */ (DOES);
    self.postMessage({ found: does[what](...args) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};

const DOES = {
  /** @param {number[]} chips @param {number} down */
  chances(chips, down) {
    const now = kept.get(chips.join());
    if (now?.wins) return { win: ownOf(now, down), games: 0 };
    const found = levelsOf(chips);
    if (found) return { win: exactly(found, chips, down), games: 0 };
    const { won, games } = simulated(chips, down);
    return { win: won.map((each) => each / games), games };
  },
  /** @param {number[]} chips @param {number} down */
  length(chips, down) {
    const found = levelsOf(chips);
    if (found) return { chance: lasting(found.levels, down), games: 0 };
    const { lasted, games } = simulated(chips, down);
    const most = lasted.findLastIndex((each) => each > 0);
    return { chance: lasted.slice(0, most + 1).map((each) => each / games), games };
  },
  /** The lengths of games with a stake of 1, 2, … as long as nine of ten end in time; and the first that do not.
   * @param {number} players @param {number} minutes @param {{card: number, spread: number}} pace */
  stakes(players, minutes, { card, spread }) {
    const found = [];
    for (let stake = 1; stake <= MOST_CHIPS; stake += 1) {
      const { chance, games } = DOES.length(Array(players).fill(stake), PACK);
      found.push({ stake, chance, games });
      const end = quantile(chance, 0.9);
      if ((end * card + Math.ceil(end / PACK) * spread) / 60 > minutes) break;
    }
    return found;
  },
};

/** @param {number[]} chance @param {number} part */
function quantile(chance, part) {
  let reached = 0;
  return chance.findIndex((each) => (reached += each) >= part - 1e-9);
}

// The ways to hold the chips.

/** All that can come, by the chips in play, the fewest first, and by their chips; null where they make too many positions.
 * @param {number[]} start */
function levelsOf(start) {
  /** @type {Map<string, Way>} */
  const known = new Map();
  /** @type {Way[][]} */
  const levels = [];
  /** @param {number[]} chips @param {Way[]} level */
  const ring = (chips, level) => {
    const first = known.get(chips.join());
    if (first) return first;
    /** @type {Way[]} */
    const around = [];
    for (let now = chips; !known.has(now.join()); now = [...now.slice(1), now[0]]) {
      /** @type {Way} */
      const way = { chips: now, id: 0, level: levels.length, at: 0, onward: null, paid: null };
      known.set(now.join(), way);
      around.push(way);
    }
    around.forEach((way, i) => (way.onward = around[(i + 1) % around.length]));
    level.push(...around);
    return around[0];
  };
  /** @type {Way[]} */
  let here = [];
  ring(start, here);
  while (here.length) {
    levels.push(here);
    if (known.size * PACK > MOST) return null;
    /** @type {Way[]} */
    const below = [];
    for (const way of here) {
      if (way.chips.length === 1) continue;
      const [first, ...rest] = way.chips;
      way.paid = ring(first > 1 ? [...rest, first - 1] : rest, below);
      if (known.size * PACK > MOST) return null;
    }
    here = below;
  }
  return { levels: levels.reverse(), known };
}

/** Each one's chance: `sums` is r times the chances with r face down, upward by the chips in play and by r.
 * @param {{levels: Way[][], known: Map<string, Way>}} found @param {number[]} start @param {number} down */
function exactly({ levels, known }, start, down) {
  kept = new Map();
  const size = (PACK + 1) * levels.flat().reduce((sum, { chips }) => sum + chips.length, 0);
  /** @type {Float64Array[]} */
  let below = [];
  let at = 0;
  for (const level of levels) {
    at = 0;
    for (const way of level) {
      way.at = at;
      at += way.chips.length;
    }
    const wins = Array.from({ length: PACK + 1 }, () => new Float64Array(at));
    let before = new Float64Array(at);
    let sums = new Float64Array(at);
    for (let r = 1; r <= PACK; r += 1) {
      const under = below[r - 1 || PACK];
      const now = wins[r];
      for (const way of level) {
        const { at: to, onward, paid, chips } = way;
        if (!paid) {
          now[to] = 1;
          continue;
        }
        const last = chips.length - 1;
        const [on, pay] = [onward?.at ?? 0, paid.at];
        // Whoever paid his last chip has no place in `paid`.
        sums[to] = before[on + last] + (paid.chips.length > last ? under[pay + last] : 0);
        for (let j = 0; j < last; j += 1) sums[to + j + 1] = before[on + j] + under[pay + j];
        for (let j = 0; j <= last; j += 1) now[to + j] = sums[to + j] / r;
      }
      [before, sums] = [sums, before];
    }
    below = wins;
    if (size <= ROOM) for (const way of level) way.wins = wins;
  }
  if (size <= ROOM) kept = known;
  return Array.from(below[down].subarray(0, start.length)); // the start is the first of the last level
}

/** @param {Way} way whose chances are kept @param {number} down */
const ownOf = ({ wins, at, chips }, down) => Array.from((wins?.[down] ?? []).slice(at, at + chips.length));

/** By t, the chance that the game is over with just the t-th card from now. @param {Way[][]} levels @param {number} down */
function lasting(levels, down) {
  const ways = levels.flat();
  ways.forEach((way, i) => (way.id = i));
  const on = Int32Array.from(ways, (way) => (way.onward ?? way).id);
  const paid = Int32Array.from(ways, (way) => (way.paid ?? way).id);
  const single = ways.filter((way) => !way.paid).map((way) => way.id);
  let here = new Float64Array(ways.length);
  let after = new Float64Array(ways.length);
  here[levels[levels.length - 1][0].id] = 1; // the start
  const ended = [];
  for (;;) {
    let over = 0;
    for (const i of single) {
      over += here[i];
      here[i] = 0;
    }
    ended.push(over);
    const r = ((((down - ended.length) % PACK) + PACK) % PACK) + 1;
    const [calm, fear] = [(r - 1) / r, 1 / r];
    let left = 0;
    for (let i = 0; i < here.length; i += 1) {
      const chance = here[i];
      if (!chance) continue;
      left += chance;
      after[on[i]] += chance * calm;
      after[paid[i]] += chance * fear;
    }
    if (left < TAIL) return ended;
    [here, after] = [after, here];
    after.fill(0);
  }
}

// Where there are too many positions: games with dice that always fall alike, those of `study/odds.py`.

/** @param {number[]} start @param {number} down */
function simulated(start, down, games = GAMES) {
  let one = 17901790;
  let other = 20102010;
  const won = start.map(() => 0);
  const lasted = Array(PACK * start.reduce((sum, each) => sum + each, 0) + 1).fill(0);
  const [chips, order] = [Int32Array.from(start), new Int32Array(start.length)];
  for (let game = 0; game < games; game += 1) {
    let players = start.length;
    for (let place = 0; place < players; place += 1) {
      chips[place] = start[place];
      order[place] = place;
    }
    let [r, turned, at] = [down, 0, 0];
    while (players > 1) {
      one = (one * 40014) % 2147483563;
      other = (other * 40692) % 2147483399;
      const die = one > other ? one - other : one - other + 2147483562;
      const fear = die % r;
      turned += fear + 1;
      r = r > fear + 1 ? r - fear - 1 : PACK;
      at = (at + fear) % players;
      const payer = order[at];
      chips[payer] -= 1;
      if (chips[payer]) at += 1;
      else {
        players -= 1;
        order.copyWithin(at, at + 1, players + 1);
      }
    }
    won[order[0]] += 1;
    lasted[turned] += 1;
  }
  return { won, lasted, games };
}
