// What goes over the wire, as the server's `view` and `redact` build it.

export type Lang = "en" | "fr";
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
export interface Table {
  id: string;
  game: GameName;
  players: number;
  rules: Record<string, RuleValue>;
  state: "lobby" | "playing" | "over";
  me: number | null;
  /** the seat that one left during this sitting, and may come back to */
  former: number | null;
  host: number | null;
  pace: Pace;
  seats: Seat[];
  waiting: { for: number[]; what: "cut" | "go" | "act"; until: number | null } | null;
}
export interface Update {
  type: "update";
  version: number;
  events: Event[];
  view: View | null;
  table: Table;
  /** the log of the current deal, in the first update after `hello` or `lang` */
  log?: Event[];
}

export type FromServer =
  | Update
  | { type: "seated"; seat: number; token: string }
  | { type: "refused"; id: string | null; clause: string | null; message: string }
  | { type: "done"; id: string }
  | { type: "bye"; message: string; code: "closed" | "gone" }
  | { type: "pong" };

export type ToServer =
  | { type: "hello"; token: string | null; lang: Lang }
  | { type: "sit"; name: string; seat?: number }
  | { type: "name"; name: string }
  | { type: "fill"; level: string }
  | { type: "start" }
  | { type: "remove"; seat: number }
  | { type: "leave" }
  | { type: "act"; id: string; seen: number; move: string }
  | { type: "go"; seen: number }
  | { type: "pace"; value: Pace }
  | { type: "again" }
  | { type: "lang"; value: Lang }
  | { type: "ping" };
