// What goes over the wire, as the server's `view` and `redact` build it.

/** The tag of one of the languages of the server. */
export type Lang = string;
export type Pace = "slow" | "normal" | "quick" | "once";
export type GameName = "fear" | "fan-tan" | "five-or-nine" | "earl-of-coventry" | "play-or-pay";
/** A card as it is written: rank `A 2-9 T J Q K`, suit `S H D C`. */
export type CardText = string;
export type RuleValue = number | string;

export interface Rule {
  name: string;
  clause: string;
  values: string[] | { min: number; max: number };
  /** when nothing is said; an object where it depends on the number of players */
  default: RuleValue | Record<number, RuleValue>;
}
export interface Game {
  name: GameName;
  /** least, most, usual number of players */
  players: [number, number, number];
  /** the numbers that the sources name */
  usual: [number, number];
  rules: Rule[];
}
export interface Games {
  games: Game[];
  bots: string[];
  paces: Pace[];
  version: string;
  /** Where others on the network reach the server, told to a page on its own machine only. */
  network?: string | null;
}

export interface Event {
  kind: string;
  say: string;
  seat?: number | null;
  card?: CardText;
  clause?: string;
  payer?: number | "pool";
  payee?: number | "pool";
  chips?: number;
  due?: number;
  /** done by a stand-in for whoever has the seat */
  stand_in?: boolean;
  [field: string]: unknown;
}

interface AnyView {
  seat: number | null;
  actor: number | "chance" | null;
  phase: string;
  moves: string[];
  /** the least and the most cards that may be cut */
  cuts?: [number, number];
  stacks: number[];
  pool: number;
  dealer: number | null;
  rules: Record<string, RuleValue>;
  over: boolean;
  winners: number[];
}
export interface FanTanView extends AnyView {
  game: "fan-tan" | "five-or-nine" | "earl-of-coventry" | "play-or-pay";
  deal: number;
  deals: number;
  playing: number[];
  hand: CardText[];
  /** the cards of each suit, in the order laid */
  laid: Record<string, CardText[]>;
  counts: number[];
  /** the cards that can begin a suit's sequence */
  starts: CardText[];
  /** what was left in each hand, once a deal is over */
  shown: CardText[][];
  /** chips that a pass would cost this seat */
  price: number;
  /** chips that it would owe besides, when it is to act and has a card that fits */
  fine: number;
}
export interface FearView extends AnyView {
  game: "fear";
  /** the number of the spread */
  spread: number;
  /** null is a card face down; empty while nothing is spread */
  places: (CardText | null)[];
  fear: CardText | null;
}
export type View = FanTanView | FearView;

export interface Seat {
  name: string;
  kind: "person" | "bot" | "open";
  level: string | null;
  here: boolean;
  stand_in: boolean;
}
/** What the host may choose, in seconds for a move; 0: no clock. */
export type Clock = 0 | 15 | 30 | 60 | 90 | 180;
export type Reaction = "clap" | "laugh" | "wow" | "oops" | "think" | "heart" | "hurry" | "well_played";
/** A line of the chat: said, or one of the quick reactions. */
export interface Said {
  n: number;
  seat: number;
  name: string;
  text?: string;
  react?: Reaction;
}
export interface Table {
  id: string;
  /** what is read aloud to invite somebody: six letters */
  code: string;
  game: GameName;
  players: number;
  rules: Record<string, RuleValue>;
  state: "lobby" | "playing" | "over";
  /** how many began, with this one */
  sitting: number;
  me: number | null;
  /** the seat that one left during this sitting, and may come back to */
  former: number | null;
  host: number | null;
  pace: Pace;
  seats: Seat[];
  /** `until`: ms that are left of `of` */
  waiting: { for: number[]; what: "cut" | "go" | "act"; until: number | null; of: number | null } | null;
  clock: Clock;
  paused: boolean;
  /** of a pause: who wished it, and in how many ms anybody may end it */
  rest: { by: number | null; free: number } | null;
  /** chat is off for all */
  muted: boolean;
  /** among the open tables that anybody sees at home */
  listed: boolean;
  /** whether those without a seat may watch */
  onlookers: boolean;
  /** how many watch */
  watching: number;
  screens: number;
  /** another table of the same game, opened by one who is out of this one */
  beside: { table: string; by: number } | null;
  /** the seats of this browser, where one phone is passed round */
  also: number[];
  /** the hash of the secret from which the next shuffle will follow, and the seats that have added to it */
  next: { commitment: string; shares: number[] } | null;
}
/** A table whose host likes it to be seen, as home lists it. */
export interface OpenTable {
  table: string;
  code: string;
  game: GameName;
  players: number;
  free: number;
  host: string;
  /** the house rules that differ from the usual ones */
  rules: Record<string, RuleValue>;
}
/** The answer to the making of a table. */
export interface Made {
  table: string;
  code: string;
  seat: number | null;
  token: string | null;
  /** one for each person, where several were named */
  seats?: { seat: number; token: string }[];
}
export interface Update {
  type: "update";
  version: number;
  events: Event[];
  view: View | null;
  table: Table;
  /** the log of the current deal, in the first update after `hello` or `lang` */
  log?: Event[];
  /** what was said since; in the first update the last hundred lines */
  chat?: Said[];
}

export type FromServer =
  | Update
  | { type: "seated"; seat: number; token: string }
  | { type: "refused"; id: string | null; clause: string | null; message: string }
  | { type: "done"; id: string }
  | { type: "hint"; move: string | null; say: string; version: number }
  | { type: "opened"; table: string; code: string; token: string; seat: number }
  | { type: "bye"; message: string; code: "closed" | "gone" }
  | { type: "pong" };

export type ToServer =
  | { type: "hello"; token: string | null; lang: Lang; also?: string[]; screen?: boolean }
  | { type: "as"; seat: number | null }
  | { type: "sit"; name: string; seat?: number }
  | { type: "name"; name: string }
  | { type: "fill"; level: string }
  | { type: "start" }
  | { type: "bot"; seat: number; level: string }
  | { type: "remove"; seat: number }
  | { type: "host"; seat: number }
  | { type: "leave" }
  | { type: "act"; id: string; seen: number; move: string }
  | { type: "go"; seen: number }
  | { type: "pace"; value: Pace }
  | { type: "clock"; value: Clock }
  | { type: "listed" | "onlookers" | "mute" | "pause"; on: boolean }
  | { type: "say"; text: string }
  | { type: "react"; what: Reaction }
  | { type: "hint" }
  | { type: "share"; commitment: string; share: string }
  | { type: "beside" }
  | { type: "again" }
  | { type: "lang"; value: Lang }
  | { type: "ping" };

/** A move of a deal that is over, and what followed: as an onlooker saw it, with everybody's hand after it. */
export interface Frame {
  actor: number | "chance";
  /** empty for chance */
  move: string;
  events: Event[];
  view: View;
  /** by seat; empty in Fear, and before cards are dealt */
  hands: CardText[][];
}
/** A deal that is over, or a spread of a game of Fear that is over, told again. */
export interface Told {
  game: GameName;
  players: number;
  names: string[];
  /** the seat of whoever asked, where that is one person */
  me: number | null;
  rules: Record<string, RuleValue>;
  sitting: number;
  sittings: number;
  /** the deals of this sitting that are over */
  deals: number[];
  deal: number;
  /** whether the sitting is */
  over: boolean;
  /** the seats that were dealt in */
  playing: number[];
  /** stacks by seat */
  before: number[];
  result: number[];
  frames: Frame[];
  /** chips that these cards alone would on average have brought each seat; null where there is only luck */
  luck: number[] | null;
  /** the shuffle and, before the first deal, the draw for the dealer: what each came from */
  proofs: Proof[];
}

export interface Proof {
  /** as the record writes it: `shuffle 7S …` */
  move: string;
  commitment: string;
  secret: string;
  /** by seat */
  shares: Record<string, string>;
}
