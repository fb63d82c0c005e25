import {
  type Beacon,
  FRAME_LIMIT_BYTES,
  type OfferedTransaction,
  parseServerMessage,
  type ServerMessage,
} from '@hailstone/protocol'
import { detached } from './detached.ts'

/** Reads frames of gateways; transactions that came before, letter for letter, are not read again. */
export type BeaconReader = {
  readonly read: (text: string) => ServerMessage
  readonly counts: () => { readonly frames: number; readonly sharedFrames: number }
}

type Section = { readonly text: string; readonly transactions: readonly OfferedTransaction[] }

const SECTION_NAME = '"txs":'
const EMPTY_LIST = '[]'
/** Beacons that go round at the same time. */
const SECTIONS_KEPT = 8
/** Below this, reading is cheaper than withMemory. */
const FEWEST_CHARACTERS = 100

/**
 * The beacons of one fleet differ in publisher and hash; the list of transactions, nine tenths of the text, is
 * the same. A list that was read is recognised by its text and replaced by an empty one before parsing.
 *
 * Nothing is believed because of it: what is signed is the hash of the transactions that were checked, whatever
 * else the frame says, and a frame whose hash does not fit them is refused as always.
 */
export function createBeaconReader(): BeaconReader {
  const sections: Section[] = []
  let frames = 0
  let sharedFrames = 0

  function read(text: string): ServerMessage {
    frames++
    return withoutFrame(readAny(text))
  }

  function readAny(text: string): ServerMessage {
    const at = sectionStart(text)
    if (at < 0 || text.length > FRAME_LIMIT_BYTES) return parseServerMessage(text)
    const known = sections.find((section) => text.startsWith(section.text, at))
    return known === undefined ? readNew(text, at) : readShared(text, at, known)
  }

  function readShared(text: string, at: number, { text: section, transactions }: Section): ServerMessage {
    const emptied = readWithout(text, at, at + section.length)
    if (emptied === null) return parseServerMessage(text)
    sharedFrames++
    return { kind: 'beacon', beacon: { ...emptied, content: { ...emptied.content, transactions } } }
  }

  function readNew(text: string, at: number): ServerMessage {
    const message = parseServerMessage(text)
    if (message.kind !== 'beacon') return message
    const end = endOfList(text, at)
    if (end - at < FEWEST_CHARACTERS || readWithout(text, at, end) === null) return message
    const { transactions } = message.beacon.content
    sections.unshift({ text: text.slice(at, end), transactions })
    sections.length = Math.min(sections.length, SECTIONS_KEPT)
    return message
  }

  return { read, counts: () => ({ frames, sharedFrames }) }
}

/** The hash is remembered for long, and would keep the whole frame that it was cut out of. */
function withoutFrame(message: ServerMessage): ServerMessage {
  if (message.kind !== 'beacon') return message
  const microblockHash = detached(message.beacon.microblockHash)
  return { kind: 'beacon', beacon: { ...message.beacon, microblockHash } }
}

/** The beacon without its transactions; null when they do not stand there, but somewhere else in the frame. */
function readWithout(text: string, start: number, end: number): Beacon | null {
  const message = parseServerMessage(text.slice(0, start) + EMPTY_LIST + text.slice(end))
  const isEmptied = message.kind === 'beacon' && message.beacon.content.transactions.length === 0
  return isEmptied ? message.beacon : null
}

/** Returns the offset of the only list of that name; -1 without a list, or with several. */
function sectionStart(text: string): number {
  const at = text.indexOf(SECTION_NAME)
  if (at < 0 || text[at + SECTION_NAME.length] !== '[') return -1
  return text.includes(SECTION_NAME, at + 1) ? -1 : at + SECTION_NAME.length
}

const bracketOrText = /[[\]]|"(?:[^"\\]|\\.)*"/g

/** Behind the bracket that closes the list; the start when none does. */
function endOfList(text: string, start: number): number {
  bracketOrText.lastIndex = start
  let depth = 0
  for (let token = bracketOrText.exec(text); token !== null; token = bracketOrText.exec(text)) {
    if (token[0] === '[') depth++
    else if (token[0] === ']') depth--
    if (depth === 0) return bracketOrText.lastIndex
  }
  return start
}
