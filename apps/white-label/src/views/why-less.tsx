import type { TokenSlot } from '@hailstone/client'
import { explainShare, type SharePart, shareFactsOf } from '@hailstone/mining-node/why'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useEngine, useNow, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import type { TextOf } from '../i18n/make-texts.ts'
import { Card } from '../parts/page.tsx'
import { withWholeNumbers } from '../parts/whole-numbers.tsx'
import { amountText, countText } from '../text/amount-text.ts'
import { durationText } from '../text/time-text.ts'

type Slot = Pick<TokenSlot, 'hasSlot' | 'places'>

const UNKNOWN: Slot = { hasSlot: null, places: null }
/** Each new text is a frame to draw. */
const STEP_MS = 5_000

/** The place of the mined token; null while the network is asked. */
function useSlot(): Slot | null {
  const { host, brand } = useApp()
  const [slot, setSlot] = useState<Slot | null>(null)
  useEffect(() => {
    let isOver = false
    const show = (next: Slot): void => {
      if (!isOver) setSlot(next)
    }
    host.client.getTokenSlot({ tokenId: brand.token.hash }).then(show, () => show(UNKNOWN))
    return () => {
      isOver = true
    }
  }, [host, brand])
  return slot
}

/** Answers why others earn more, with the figures of this device. */
export function WhyLess(): ReactNode {
  const engine = useEngine()
  const later = useLaterTexts()
  const nowMs = useNow(STEP_MS)
  const slot = useSlot()
  const sentence = useSentence(later)
  const snapshot = engine?.snapshot ?? null
  if (later === null || snapshot === null) return null
  const facts = shareFactsOf({ snapshot, slot: slot ?? UNKNOWN, nowMs })
  if (facts === null) return null
  // What this device knows waits for no answer of the network.
  const isSaid = ({ code }: SharePart): boolean => slot !== null || code !== 'SLOT_UNKNOWN'
  return (
    <Card title={later('why.title')}>
      {explainShare(facts)
        .filter(isSaid)
        .map((part) => (
          <p key={part.code} data-why={part.code}>
            {withWholeNumbers(sentence(part))}
          </p>
        ))}
    </Card>
  )
}

function useSentence(later: TextOf<LaterKey> | null): (part: SharePart) => string {
  const { text, language } = useTexts()
  const { short, symbol } = useMoney()
  const of = (key: LaterKey, values?: Readonly<Record<string, string>>): string => later?.(key, values) ?? ''
  const count = (value: number): string => countText(value, language)
  const placesOf = (places: Slot['places']): string =>
    places === null
      ? ''
      : ` ${of('why.slotPlaces', { count: count(places.count), size: count(places.size) })}`
  return (part) => {
    switch (part.code) {
      case 'STAKE_UNKNOWN':
        return `${text('mine.stake.title')}: ${text('common.notKnown')}`
      case 'WORK_UNKNOWN':
      case 'ONLINE_UNKNOWN':
        return text('common.notKnown')
      case 'STAKE_BELOW': {
        const plain = (units: bigint): string => short(units).replace(` ${symbol}`, '')
        const { have, least, missing } = part
        return text('mine.stake.missing', {
          ...{ have: plain(have), need: plain(least), missing: plain(missing), symbol },
        })
      }
      case 'STAKE_FULL':
        return of('why.stakeFull', { have: short(part.have), most: short(part.most) })
      case 'STAKE_PART': {
        const times = amountText(part.tenths, { language, decimals: 1 })
        return of('why.stakePart', { have: short(part.have), most: short(part.most), times })
      }
      case 'STAKE_COUNTS':
        return of('why.stakeAll', { have: short(part.have) })
      case 'WORK_NONE':
        return of('why.workNone')
      case 'WORK':
        return of('why.work', {
          offered: count(part.offered),
          signed: count(part.signed),
          late: count(part.tooLate),
          left: count(part.leftOut),
          included: count(part.inBlocks),
        })
      case 'ONLINE':
        return of('why.online', { time: durationText(part.ms - (part.ms % STEP_MS), language) })
      case 'SLOT_YES':
        return of('why.slotYes', { symbol }) + placesOf(part.places)
      case 'SLOT_NO':
        return of('why.slotNo', { symbol }) + placesOf(part.places)
      case 'SLOT_UNKNOWN':
        return of('why.slotUnknown', { symbol })
    }
  }
}
