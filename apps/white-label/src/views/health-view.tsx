import type { Seen } from '@hailstone/mining-node/why'
import { lastValue, useBalance, useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useNow, useOnline, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import type { EngineState } from '../engine/engine-state.ts'
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
  readonly href?: string
}

const isLater = (key: TextKey | LaterKey): key is LaterKey => key.startsWith('health.')

type Read = { readonly isStale: boolean; readonly readAtMs: number } | null | undefined

const LIST_AGAIN_MS = 100_000

/**
 * Asks every 100 seconds whether the network lists this device. Only this page asks, because the list has a line for
 * every miner. Returns null if the last request for this account failed or has not been answered.
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

type SeenWords = {
  /** Last answer to this page; null while the API does not answer, since an older list does not show the present state. */
  readonly asked: Seen | null
  /** True once several answers over minutes left the device out. */
  readonly isUnseen: boolean
  readonly aged: (sentence: string, read: Read) => string
  readonly text: (key: TextKey | LaterKey, values?: TextValues) => string
  readonly language: string
}

/** Says whether the network lists this device. One answer is not the truth: until it is repeated nothing is known. */
function seenCheck(
  { snapshot, run }: EngineState,
  { asked, isUnseen, aged, text, language }: SeenWords,
): readonly [Verdict, title: string, sentence: string] {
  const title = text('health.seen')
  const before = snapshot?.seen
  const seen = asked?.status === 'seen' ? asked : before
  const values = { online: seen && 'online' in seen ? countText(seen.online, language) : '' }
  const listed = text('health.seenFine', values)
  if (seen?.status === 'seen' && seen === asked) return ['fine', title, listed]
  if (isUnseen) return ['wrong', title, text('health.seenWrong', values)]
  if (seen?.status === 'seen') {
    const { readAtMs } = seen
    const read = readAtMs === undefined ? null : { isStale: true, readAtMs }
    return ['unknown', title, read ? aged(listed, read) : text('common.notKnown')]
  }
  const reasons = [asked, before].map((one) => (one?.status === 'unknown' ? one.reason : null))
  if (!run.isWanted) return ['unknown', title, text('health.notStarted')]
  if (reasons[1] === 'notConnected') return ['unknown', title, text('health.gatewayWrong')]
  if (reasons.includes('emptyList')) return ['note', title, text('health.seenNobody')]
  return ['unknown', title, text('common.notKnown')]
}

/** Checks every detectable reason for not earning. */
function useChecks(engine: EngineState, later: TextOf<LaterKey>): readonly Check[] {
  const { brand } = useApp()
  const { text: common, language } = useTexts()
  const text = (key: TextKey | LaterKey, values?: TextValues): string =>
    isLater(key) ? later(key, values) : common(key, values)
  const { short, symbol } = useMoney()
  const { state, api } = useMiner()
  const isOnline = useOnline()
  const now = useNow(5_000)
  const seen = useSeen(engine, now)
  const balance = useBalance()
  const have = lastValue(balance)?.amount
  const { stakes, warnings } = engine.snapshot ?? {}
  const token = stakes?.token
  const need = token?.minimumStake
  const has = (code: string): boolean => warnings?.some((warning) => warning.code === code) ?? false
  const { isWanted, lastSignedAtMs } = engine.run
  const isAgentRead = stakes !== undefined && stakes !== null && stakes.agent !== null
  const isLinked = state.status === 'waitingForBeacon' || state.status === 'mining'
  const of = (id: string, verdict: Verdict, title: string, sentence: string, href?: string): Check => ({
    id,
    verdict,
    title,
    text: sentence,
    ...(href === undefined ? {} : { href }),
  })
  const reading = balance.status === 'stale' ? { isStale: true, readAtMs: balance.readAtMs } : stakes
  /** What was read some time ago is no verdict of now. */
  const asKnown = (read: Read): Verdict => (read?.isStale ? 'unknown' : 'fine')
  const aged = (sentence: string, read: Read): string =>
    read?.isStale
      ? `${sentence} ${text('common.asOf', { time: agoText(read.readAtMs, now, language) })}`
      : sentence
  const seenWords: SeenWords = {
    asked: isOnline && api.status === 'reachable' ? seen : null,
    isUnseen: has('NOT_SEEN'),
    ...{ aged, text, language },
  }
  const isKeyTaken =
    (state.status === 'stopped' && state.reason === 'duplicateKey') ||
    (state.status === 'waiting' && state.reason.kind === 'duplicateKey')
  const met = have !== undefined && need !== undefined ? have >= need : null
  const missing = (need ?? 0n) - (have ?? 0n)
  const plain = (units: bigint | undefined): string => short(units).replace(` ${symbol}`, '')
  return [
    of(
      'online',
      isOnline ? 'fine' : 'wrong',
      text('health.online'),
      text(isOnline ? 'health.onlineFine' : 'health.onlineWrong'),
    ),
    of(
      'api',
      !isOnline
        ? 'unknown'
        : api.status === 'reachable'
          ? 'fine'
          : api.status === 'unreachable'
            ? 'wrong'
            : 'unknown',
      text('health.api'),
      isOnline && (api.status === 'unreachable' || api.status === 'reachable')
        ? text(api.status === 'reachable' ? 'health.apiFine' : 'health.apiWrong', {
            address: brand.network.api,
          })
        : text('common.notKnown'),
      '/more/network',
    ),
    of(
      'gateway',
      isLinked ? 'fine' : isWanted ? 'wrong' : 'unknown',
      text('health.gateway'),
      text(isLinked ? 'health.gatewayFine' : isWanted ? 'health.gatewayWrong' : 'health.notStarted'),
      '/more/network',
    ),
    of('seen', ...seenCheck(engine, seenWords), '/more/network'),
    of(
      'token',
      token === undefined ? 'unknown' : token?.isMineable ? asKnown(stakes) : 'wrong',
      text('health.token'),
      token === undefined
        ? text('common.notKnown')
        : aged(text(token?.isMineable ? 'health.tokenFine' : 'health.tokenWrong'), stakes),
    ),
    of(
      'stake',
      met === null ? 'unknown' : met ? asKnown(reading) : 'wrong',
      text('health.stake'),
      met === null
        ? text('common.notKnown')
        : aged(
            met
              ? text('health.stakeFine', { have: short(have), need: short(need) })
              : text('mine.stake.missing', {
                  have: plain(have),
                  need: plain(need),
                  missing: plain(missing),
                  symbol,
                }),
            reading,
          ),
      '/',
    ),
    of(
      'device',
      has('DUPLICATE') || isKeyTaken ? 'wrong' : isLinked ? 'fine' : 'unknown',
      text('health.device'),
      text(isKeyTaken ? 'mine.why.duplicateKey' : isLinked ? 'health.deviceFine' : 'common.notKnown'),
    ),
    ...(brand.referral.enabled
      ? [
          of(
            'agent',
            engine.agent === null
              ? 'note'
              : !isAgentRead
                ? 'unknown'
                : has('AGENT_WITHOUT_BALANCE') || has('AGENT_STAKE_TOO_LOW')
                  ? 'wrong'
                  : asKnown(stakes),
            text('health.agent'),
            text(
              engine.agent === null
                ? 'health.agentNone'
                : !isAgentRead
                  ? 'common.notKnown'
                  : has('AGENT_WITHOUT_BALANCE')
                    ? 'agent.withoutToken'
                    : has('AGENT_STAKE_TOO_LOW')
                      ? 'health.agentLow'
                      : 'health.agentFine',
            ),
            '/invite/agent',
          ),
        ]
      : []),
    of(
      'work',
      lastSignedAtMs === null ? 'unknown' : 'fine',
      text('health.work'),
      lastSignedAtMs === null
        ? text('health.workNone')
        : text('health.workFine', { time: agoText(lastSignedAtMs, now, language) }),
      '/log',
    ),
    of('patience', 'note', text('health.patience'), text('health.patienceText')),
  ]
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
