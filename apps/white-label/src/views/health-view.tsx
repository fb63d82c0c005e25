import type { Seen } from '@hailstone/mining-node/why'
import { lastValue, type Miner, useBalance, useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useNow, useOnline, useTexts } from '../app/app-context.ts'
import { type Money, useMoney } from '../app/use-money.ts'
import type { EngineState, PlainSnapshot } from '../engine/engine-state.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import type { TextOf, TextValues } from '../i18n/make-texts.ts'
import type { TextKey } from '../i18n/texts.ts'
import { Icon } from '../parts/icon.tsx'
import { FailedPart, loaded } from '../parts/loaded.tsx'
import { Loading } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { withWholeNumbers } from '../parts/whole-numbers.tsx'
import { countText } from '../text/amount-text.ts'
import { agoText } from '../text/time-text.ts'

// In packages with the service alone.
const ScreenOffHealth = APP_HAS_SERVICE
  ? loaded<object, 'ScreenOffHealth'>(() => import('./screen-off.tsx'), 'ScreenOffHealth', FailedPart)
  : () => null

const WhyLess = loaded<object, 'WhyLess'>(() => import('./why-less.tsx'), 'WhyLess', FailedPart)

type Verdict = 'fine' | 'wrong' | 'unknown' | 'note'
type Check = {
  readonly id: string
  readonly verdict: Verdict
  readonly title: string
  readonly text: string
  readonly href: string | undefined
}

const isLater = (key: TextKey | LaterKey): key is LaterKey => key.startsWith('health.')

/** What the checks depend on. */
type Facts = {
  readonly engine: EngineState
  readonly isOnline: boolean
  readonly miner: Pick<Miner, 'state' | 'api'>
  readonly balance: ReturnType<typeof useBalance>
  /** Last answer that this page read about the account; null before the first. */
  readonly seen: Seen | null
  /** Address of the API. */
  readonly network: string
  readonly now: number
  readonly language: string
  readonly text: (key: TextKey | LaterKey, values?: TextValues) => string
  readonly money: Pick<Money, 'short' | 'symbol'>
}

/** The link is shown beside a wrong verdict. */
type Finding = readonly [verdict: Verdict, title: string, sentence: string, href?: string]

type Read = { readonly isStale: boolean; readonly readAtMs: number } | null | undefined

const LIST_AGAIN_MS = 100_000

/**
 * Requests the list of connected miners every 100 seconds and returns whether this device is in it. Other pages do not
 * request it, because it has a line for every miner. Returns null before the first answer for this account, and after a
 * request that failed.
 */
function useSeen(engine: EngineState, now: number): Seen | null {
  const { client } = useApp().host
  const address = engine.snapshot?.address
  const [answer, setAnswer] = useState<{ readonly of: string; readonly seen: Seen | null } | null>(null)
  const turn = Math.floor(now / LIST_AGAIN_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew
  useEffect(() => {
    let isOver = false
    const show = (seen: Seen | null): void => {
      if (!isOver && address !== undefined) setAnswer({ of: address, seen })
    }
    if (address !== undefined)
      client.getMinersOnline({}).then(
        (list) => {
          const online = list.length
          // Public servers list a key as it was hailed, in any case.
          const isListed = list.some((miner) => miner.address.toLowerCase() === address.toLowerCase())
          show(
            isListed
              ? { status: 'seen', online }
              : { status: 'unknown', reason: online === 0 ? 'emptyList' : 'notAsked' },
          )
        },
        () => show(null),
      )
    return () => {
      isOver = true
    }
  }, [client, address, turn])
  return answer?.of === address ? (answer?.seen ?? null) : null
}

/** A reading that may be out of date does not show the present state. */
const asKnown = (read: Read): Verdict => (read?.isStale ? 'unknown' : 'fine')
const aged = ({ text, now, language }: Facts, sentence: string, read: Read): string =>
  read?.isStale
    ? `${sentence} ${text('common.asOf', { time: agoText(read.readAtMs, now, language) })}`
    : sentence

type WarningCode = PlainSnapshot['warnings'][number]['code']

const has = ({ engine }: Facts, code: WarningCode): boolean =>
  engine.snapshot?.warnings.some((warning) => warning.code === code) ?? false

const isLinked = ({ miner: { state } }: Facts): boolean =>
  state.status === 'waitingForBeacon' || state.status === 'mining'

const onlineCheck = ({ isOnline, text }: Facts): Finding =>
  isOnline
    ? ['fine', text('health.online'), text('health.onlineFine')]
    : ['wrong', text('health.online'), text('health.onlineWrong')]

function apiCheck({ isOnline, miner, network: address, text }: Facts): Finding {
  const title = text('health.api')
  const { status } = miner.api
  if (isOnline && status === 'reachable') return ['fine', title, text('health.apiFine', { address })]
  return isOnline && status === 'unreachable'
    ? ['wrong', title, text('health.apiWrong', { address }), '/more/network']
    : ['unknown', title, text('common.notKnown')]
}

function gatewayCheck(facts: Facts): Finding {
  const { engine, text } = facts
  const title = text('health.gateway')
  if (isLinked(facts)) return ['fine', title, text('health.gatewayFine')]
  return engine.run.isWanted
    ? ['wrong', title, text('health.gatewayWrong'), '/more/network']
    : ['unknown', title, text('health.notStarted')]
}

/** Says whether the network lists this device. One answer is not the truth: until it is repeated nothing is known. */
function seenCheck(facts: Facts): Finding {
  const { engine, isOnline, miner, language, text } = facts
  const title = text('health.seen')
  // While the API does not answer, an older list does not show the present state.
  const asked = isOnline && miner.api.status === 'reachable' ? facts.seen : null
  const before = engine.snapshot?.seen
  const seen = asked?.status === 'seen' ? asked : before
  const values = { online: seen && 'online' in seen ? countText(seen.online, language) : '' }
  const listed = text('health.seenFine', values)
  if (seen?.status === 'seen' && seen === asked) return ['fine', title, listed]
  if (has(facts, 'NOT_SEEN')) return ['wrong', title, text('health.seenWrong', values), '/more/network']
  if (seen?.status === 'seen') {
    const { readAtMs } = seen
    const read = readAtMs === undefined ? null : { isStale: true, readAtMs }
    return ['unknown', title, read ? aged(facts, listed, read) : text('common.notKnown')]
  }
  const reasons = [asked, before].map((one) => (one?.status === 'unknown' ? one.reason : null))
  if (!engine.run.isWanted) return ['unknown', title, text('health.notStarted')]
  if (reasons[1] === 'notConnected') return ['unknown', title, text('health.gatewayWrong')]
  if (reasons.includes('emptyList')) return ['note', title, text('health.seenNobody')]
  return ['unknown', title, text('common.notKnown')]
}

function tokenCheck(facts: Facts): Finding {
  const { engine, text } = facts
  const title = text('health.token')
  const stakes = engine.snapshot?.stakes
  const token = stakes?.token
  if (token === undefined) return ['unknown', title, text('common.notKnown')]
  return token?.isMineable
    ? [asKnown(stakes), title, aged(facts, text('health.tokenFine'), stakes)]
    : ['wrong', title, aged(facts, text('health.tokenWrong'), stakes)]
}

function stakeCheck(facts: Facts): Finding {
  const { engine, balance, text, money } = facts
  const { short, symbol } = money
  const title = text('health.stake')
  const stakes = engine.snapshot?.stakes
  const have = lastValue(balance)?.amount
  const need = stakes?.token?.minimumStake
  if (have === undefined || need === undefined) return ['unknown', title, text('common.notKnown')]
  const read = balance.status === 'stale' ? { isStale: true, readAtMs: balance.readAtMs } : stakes
  if (have >= need) {
    const sentence = text('health.stakeFine', { have: short(have), need: short(need) })
    return [asKnown(read), title, aged(facts, sentence, read)]
  }
  const plain = (units: bigint): string => short(units).replace(` ${symbol}`, '')
  const values = { have: plain(have), need: plain(need), missing: plain(need - have), symbol }
  return ['wrong', title, aged(facts, text('mine.stake.missing', values), read), '/']
}

function deviceCheck(facts: Facts): Finding {
  const { miner, text } = facts
  const { state } = miner
  const title = text('health.device')
  const isKeyTaken =
    (state.status === 'stopped' && state.reason === 'duplicateKey') ||
    (state.status === 'waiting' && state.reason.kind === 'duplicateKey')
  if (isKeyTaken) return ['wrong', title, text('mine.why.duplicateKey')]
  return isLinked(facts)
    ? ['fine', title, text('health.deviceFine')]
    : ['unknown', title, text('common.notKnown')]
}

function agentCheck(facts: Facts): Finding {
  const { engine, text } = facts
  const stakes = engine.snapshot?.stakes
  const finding = (verdict: Verdict, key: TextKey | LaterKey): Finding => [
    verdict,
    text('health.agent'),
    text(key),
    '/invite/agent',
  ]
  if (engine.agent === null) return finding('note', 'health.agentNone')
  if (!stakes || stakes.agent === null) return finding('unknown', 'common.notKnown')
  if (has(facts, 'AGENT_WITHOUT_BALANCE')) return finding('wrong', 'agent.withoutToken')
  if (has(facts, 'AGENT_STAKE_TOO_LOW')) return finding('wrong', 'health.agentLow')
  return finding(asKnown(stakes), 'health.agentFine')
}

function workCheck({ engine, text, now, language }: Facts): Finding {
  const { lastSignedAtMs } = engine.run
  const title = text('health.work')
  if (lastSignedAtMs === null) return ['unknown', title, text('health.workNone')]
  return ['fine', title, text('health.workFine', { time: agoText(lastSignedAtMs, now, language) })]
}

const CHECKS = {
  online: onlineCheck,
  api: apiCheck,
  gateway: gatewayCheck,
  seen: seenCheck,
  token: tokenCheck,
  stake: stakeCheck,
  device: deviceCheck,
  agent: agentCheck,
  work: workCheck,
  patience: ({ text }) => ['note', text('health.patience'), text('health.patienceText')],
} satisfies Readonly<Record<string, (facts: Facts) => Finding>>

/** Checks every detectable reason for not earning. */
function useChecks(engine: EngineState, later: TextOf<LaterKey>): readonly Check[] {
  const { brand } = useApp()
  const { text: common, language } = useTexts()
  const now = useNow(5_000)
  const facts: Facts = {
    ...{ engine, now, language },
    isOnline: useOnline(),
    miner: useMiner(),
    balance: useBalance(),
    seen: useSeen(engine, now),
    network: brand.network.api,
    text: (key, values) => (isLater(key) ? later(key, values) : common(key, values)),
    money: useMoney(),
  }
  return Object.entries(CHECKS)
    .filter(([id]) => id !== 'agent' || brand.referral.enabled)
    .map(([id, check]) => {
      const [verdict, title, text, href] = check(facts)
      return { id, verdict, title, text, href }
    })
}

export function HealthView(): ReactNode {
  const engine = useEngine()
  const { text } = useTexts()
  const later = useLaterTexts()
  return engine === null || later === null ? (
    <Page title={text('mine.health.title')} back="/">
      <Loading on="files" />
    </Page>
  ) : (
    <Checked engine={engine} later={later} />
  )
}

type Words = { readonly later: TextOf<LaterKey> }

function Checked({ engine, later }: Words & { readonly engine: EngineState }): ReactNode {
  const { text } = useTexts()
  const checks = useChecks(engine, later)
  const isFine = checks.every(({ verdict }) => verdict === 'fine' || verdict === 'note')
  return (
    <Page title={isFine ? later('health.allFine') : text('mine.health.title')} back="/">
      <p>{later('health.text')}</p>
      <Checks checks={checks} text={later} />
      <Suspense fallback={null}>
        <WhyLess />
      </Suspense>
    </Page>
  )
}

function Checks({
  checks,
  text,
}: {
  readonly checks: readonly Check[]
  readonly text: TextOf<LaterKey>
}): ReactNode {
  const marks = { fine: 'check', wrong: 'cross', unknown: 'info', note: 'info' } as const
  const list = (
    <ul className="checks">
      {checks.map(({ id, verdict, title, text: sentence, href }) => (
        <li key={id} className={`check-row check-${verdict}`} data-check={id} data-verdict={verdict}>
          <Icon name={marks[verdict]} />
          <div>
            <h2>
              {title} <span className="visually-hidden">{text(`health.verdict.${verdict}`)}</span>
            </h2>
            <p>{withWholeNumbers(sentence)}</p>
            {href !== undefined && verdict === 'wrong' && <Link href={href}>{text('health.look')}</Link>}
          </div>
        </li>
      ))}
    </ul>
  )
  if (!APP_HAS_SERVICE) return list
  return (
    <>
      <Suspense fallback={null}>
        <ScreenOffHealth />
      </Suspense>
      {list}
    </>
  )
}
