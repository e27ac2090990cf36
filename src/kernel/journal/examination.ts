import type { Damage, Entry, JournalRest, Place, TornBytes, WriterCount } from './contract.ts';
import type { CutLine } from './cut-lines.ts';
import { decodeLine, isTornOwn, resemblesEnd, startsAsRepair, type BadLine, type Line } from './line.ts';
import { isRepair, piecesOf, type GoodLine, type Piece } from './pieces.ts';

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A bad line of which only what follows tells whether it is damage or evidence. */
interface Suspect {
  readonly bytes: Buffer;
  readonly bad: BadLine;
  readonly place: Place;
}

const COPIED: BadLine = { kind: 'bad', problem: 'repeated', reason: 'a record that was read before is copied into it' };

interface Receiver {
  readonly onEntry: (entry: Entry) => void;
  /** What it throws ends the examination. */
  readonly onDamage: (damage: Damage) => void;
}

/** Tells records, evidence and damage of one journal apart, line by line. */
export class Examination {
  readonly #receiver: Receiver;
  readonly #writers = new Map<string, Mutable<WriterCount>>();
  readonly #damage: Damage[] = [];
  readonly #repaired: TornBytes[] = [];
  #tornTail: TornBytes | undefined;
  /** One, and behind it nothing but repairs of it that were cut off themselves. */
  #suspects: Suspect[] = [];
  #line = 0;
  #repairs = 0;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** One whole line. */
  take({ bytes, offset, length }: CutLine): void {
    this.#line += 1;
    if (bytes === undefined) return this.#tooLong({ line: this.#line, offset }, length);
    // A blank line between a bad one and a repair record means that the repair was not of that one.
    if (isBlank(bytes)) return this.#condemn(this.#suspects);
    const line = decodeLine(bytes);
    if (line.kind === 'bad') return this.#takePieces(piecesOf(bytes, line), offset);
    return this.#takeGood(line, { line: this.#line, offset });
  }

  /** The end of the file, with what stands there without a newline. */
  finish(rest: CutLine | undefined): void {
    if (rest !== undefined) this.take(rest);
    const suspects = this.#suspects;
    const last = suspects.at(-1);
    const isCutOff = rest !== undefined && last?.place.line === this.#line;
    // A repair whose write stopped after its first byte, the newline, leaves a torn line that looks finished.
    const isTorn = (suspect: Suspect): boolean => (isCutOff && suspect === last) || isTornOwn(suspect.bytes);
    this.#condemn(suspects.filter((each) => !isTorn(each)));
    const torn = suspects.filter(isTorn);
    const length = torn.reduce((sum, { bytes }) => sum + bytes.length + 1, isCutOff ? -1 : 0);
    this.#tornTail = torn[0] === undefined ? undefined : { ...torn[0].place, length };
  }

  get rest(): JournalRest {
    return { damage: this.#damage, repaired: this.#repaired, tornTail: this.#tornTail };
  }

  get repairs(): number {
    return this.#repairs;
  }

  get writers(): readonly WriterCount[] {
    return [...this.#writers.values()];
  }

  #takePieces(pieces: readonly Piece[], offset: number): void {
    // Bytes that were torn and then overtaken have a new record behind them, never one that was read before.
    const copy = pieces.slice(1).find(({ line }) => this.#isKnown(line));
    for (const [index, { at, bytes, line }] of pieces.entries()) {
      const place = { line: this.#line, offset: offset + at };
      if (line === copy?.line) this.#takeSpoiled(COPIED, place);
      else if (line.kind !== 'bad') this.#takeGood(line, place);
      else if (!line.torn || copy !== undefined) this.#takeSpoiled(line, place);
      else if (index < pieces.length - 1) this.#takeOvertaken(bytes, place);
      // A copy, or the whole chunk would be kept for it.
      else this.#suspect({ bytes: Buffer.from(bytes), bad: line, place });
    }
  }

  #isKnown(line: Line): boolean {
    return line.kind === 'own' && line.counter <= (this.#writers.get(line.writer)?.lastCounter ?? 0);
  }

  #takeGood(line: GoodLine, place: Place): void {
    const writer = line.kind === 'own' ? line.writer : undefined;
    const counter = line.kind === 'own' ? line.counter : undefined;
    const isRepairOfOurs = writer !== undefined && isRepair(line);
    if (isRepairOfOurs) this.#acquit();
    else this.#condemn(this.#suspects);
    if (writer !== undefined && counter !== undefined) this.#count({ writer, counter }, place);
    if (isRepairOfOurs) this.#repairs += 1;
    else this.#receiver.onEntry({ record: line.record, writer, counter, line: place.line, offset: place.offset });
  }

  #suspect(suspect: Suspect): void {
    const before = this.#suspects.at(-1);
    const isRepairOfIt = before !== undefined && !resemblesEnd(before.bytes) && startsAsRepair(suspect.bytes);
    if (!isRepairOfIt) this.#condemn(this.#suspects);
    this.#suspects.push(suspect);
  }

  #takeSpoiled({ problem, reason }: BadLine, place: Place): void {
    this.#condemn(this.#suspects);
    this.#report({ ...place, problem, reason });
  }

  /** Torn bytes that have a whole record behind them need no repair record. */
  #takeOvertaken(bytes: Buffer, place: Place): void {
    this.#condemn(this.#suspects);
    this.#repaired.push({ ...place, length: bytes.length });
  }

  #count({ writer, counter }: { writer: string; counter: number }, place: Place): void {
    const known = this.#writers.get(writer) ?? { writer, records: 0, lastCounter: 0, restarts: 0 };
    const expected = known.lastCounter + 1;
    if (counter > expected) {
      this.#report({ ...place, problem: 'gap', reason: `${missing(writer, expected, counter - 1)} missing before this line` });
    }
    if (counter < expected) known.restarts += 1;
    known.lastCounter = counter;
    known.records += 1;
    this.#writers.set(writer, known);
  }

  #tooLong(place: Place, length: number): void {
    this.#condemn(this.#suspects);
    this.#report({ ...place, problem: 'too-long', reason: `it has ${length} bytes, more than any record` });
  }

  /** A repair record says that what stands right before it was torn. */
  #acquit(): void {
    for (const { bytes, place } of this.#suspects) this.#repaired.push({ ...place, length: bytes.length });
    this.#suspects = [];
  }

  #condemn(suspects: readonly Suspect[]): void {
    if (this.#suspects.length === 0) return;
    this.#suspects = [];
    for (const { bad, place } of suspects) this.#report({ ...place, problem: bad.problem, reason: bad.reason });
  }

  #report(damage: Damage): void {
    this.#damage.push(damage);
    this.#receiver.onDamage(damage);
  }
}

function missing(writer: string, first: number, last: number): string {
  return first === last ? `${writer}#${first} is` : `${writer}#${first} to #${last} are`;
}

function isBlank(bytes: Buffer): boolean {
  const [first] = bytes;
  return first === undefined || (isSpace(first) && bytes.every(isSpace));
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
