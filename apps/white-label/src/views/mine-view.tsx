import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { lastValue, useBalance, useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { mayPostponeBackup } from '../app/backup-rule.ts'
import { explainMining, type MiningExplanation } from '../app/explain-mining.ts'
import { useStoredRewards } from '../app/use-stored-rewards.ts'
import type { EngineState } from '../engine/engine-state.ts'
import { isPackage } from '../host/is-package.ts'
import { minerService } from '../host/miner-service.ts'
import { Amount } from '../parts/amount.tsx'
import { NotDone } from '../parts/busy-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Icon } from '../parts/icon.tsx'
import { FailedPart, loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Card, Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { StatusRing } from '../parts/status-ring.tsx'
import { Ticking } from '../parts/ticking.tsx'
import { minedTimeText } from '../text/mined-time-text.ts'
import { agoText, durationText } from '../text/time-text.ts'
import { ApiNotice } from './api-notice.tsx'
import { BalanceAge } from './balance-line.tsx'
import { FirstReward } from './first-reward.tsx'

// Most people hold enough: what says how much is missing is loaded when it is.
const StakeCard = loaded(() => import('./stake.tsx'), 'StakeCard', FailedPart)
const StakeMissing = loaded(() => import('./stake-missing.tsx'), 'StakeMissing', FailedPart)

// In packages with the service alone.
const ScreenOff = APP_HAS_SERVICE
  ? loaded(() => import('./screen-off.tsx'), 'ScreenOff', FailedPart)
  : Suspense

/** Condition that blocks mining before the start, or null; undefined while stake or balance are unknown. */
type Hurdle = 'backup' | 'stake' | null | undefined

function hurdleOf({ account }: EngineState, { have, need }: StakeOf, brand: RuntimeBrand): Hurdle {
  if (account.status === 'open' && !account.isBackedUp && !mayPostponeBackup(brand)) return 'backup'
  if (need === null || have === null) return undefined
  return have < need ? 'stake' : null
}

export function MineView(): ReactNode {
  const engine = useEngine()
  const { text } = useTexts()
  if (engine === null || engine.snapshot === null) {
    return (
      <Page title={text('tabs.mine')}>
        <SkeletonRows on="engine" count={4} />
      </Page>
    )
  }
  return (
    <Page title={text('tabs.mine')}>
      <FirstReward />
      <div className="columns">
        <div className="column">
          <Status engine={engine} />
        </div>
        <div className="column">
          <Today engine={engine} />
          <Stake />
          {APP_HAS_SERVICE ? (
            <Suspense fallback={null}>
              <ScreenOff>
                <KeepAwake />
              </ScreenOff>
            </Suspense>
          ) : (
            <KeepAwake />
          )}
          <nav className="links" aria-label={text('mine.details')}>
            <Link href="/health" className="link-row">
              <span>{text('mine.health.title')}</span>
              <Icon name="next" />
            </Link>
            <Link href="/log" className="link-row">
              <span>{text('log.title')}</span>
              <Icon name="next" />
            </Link>
          </nav>
        </div>
      </div>
    </Page>
  )
}

function Status({ engine }: { readonly engine: EngineState }): ReactNode {
  const { text } = useTexts()
  const { announce, brand } = useApp()
  const { start, stop } = useMiner()
  const [, go] = useLocation()
  const stake = useStake()
  const hurdle = hurdleOf(engine, stake, brand)
  const [isShown, setShown] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const explained = explainMining(engine)
  const { isWanted } = engine.run
  // The button of a locked app unlocks, so that it never reads "Stop" above a miner that cannot sign.
  const isLocked = engine.account.status === 'locked'
  const headline = text(explained.headline)
  const reason = explained.reason === null ? '' : text(explained.reason)
  const { have, need } = stake
  const short = have !== null && need !== null && have < need && mayBeStake(explained) ? { have, need } : null
  const said = short !== null ? '' : reason === '' ? headline : `${headline}. ${reason}`
  useEffect(() => {
    if (said !== '') announce(said)
  }, [announce, said])
  // A start or a stop elsewhere is newer than what was pressed here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that counts
  useEffect(() => {
    setShown(false)
    setFailed(false)
  }, [isWanted])
  // Whoever pressed Start has said it: mining begins by itself when the stake is seen to have arrived.
  useEffect(() => {
    if (hurdle !== null || !isShown || isLocked) return
    setShown(false)
    begin()
  })

  function attempt(call: () => Promise<void>): void {
    setFailed(false)
    call().catch(() => setFailed(true))
  }
  function begin(): void {
    if (!(APP_HAS_SERVICE && minerService.askFirst())) attempt(start)
  }
  function press(): void {
    if (isLocked) go('/unlock')
    else if (isWanted) attempt(stop)
    else if (hurdle) setShown(true)
    else begin()
  }
  return (
    <div className="status">
      <StatusRing tone={explained.tone} beat={engine.run.lastSignedAtMs}>
        <EarnedToday />
      </StatusRing>
      {short !== null ? (
        <Suspense fallback={<p className="status-line">{'\u00a0'}</p>}>
          <StakeMissing {...short} willBegin={isShown || isWanted} />
        </Suspense>
      ) : (
        <>
          <p className={`status-line tone-${explained.tone}`}>{headline}</p>
          {reason !== '' && <p className="status-reason">{reason}</p>}
          <Countdown engine={engine} />
          <NextStepLink explained={explained} onStart={() => attempt(start)} />
          {isShown && hurdle === 'backup' && <BackupHurdle />}
        </>
      )}
      {/* The second click of a double click would undo the first: by then the button says the other thing. */}
      <button
        type="button"
        className={`button button-wide ring-button ${buttonLook(short !== null, isWanted && !isLocked)}`}
        onClick={({ detail }) => detail < 2 && press()}
      >
        {text(isLocked ? 'lock.unlock' : isWanted ? 'mine.stop' : 'mine.start')}
      </button>
      {hasFailed && <NotDone />}
      {!engine.isLeader && isWanted && !(APP_HAS_SERVICE && isPackage()) && (
        <p className="muted small">{text('mine.otherTab')}</p>
      )}
    </div>
  )
}

/** True unless something else than the stake keeps the miner from mining, or it mines. */
const mayBeStake = ({ tone, reason, next }: MiningExplanation): boolean =>
  next !== 'unlock' && (tone === 'idle' || tone === 'busy' || reason === 'mine.why.stakeTooLow')

/** The button of the state: quiet beside those that get coins. */
const buttonLook = (isStakeMissing: boolean, canStop: boolean): string => {
  if (isStakeMissing) return 'button-quiet'
  return canStop ? '' : 'button-primary'
}

/** The reward that was confirmed within a day: the figure of this screen. */
function EarnedToday(): ReactNode {
  const { text } = useTexts()
  const { totals, why } = useStoredRewards()
  return (
    <>
      <p className="hero-label">{text('mine.earned24h')}</p>
      <HeroAmount units={totals.day ?? (why === null ? undefined : null)} />
    </>
  )
}

/** Counts down to the next connection attempt, and says nothing while it is made. */
function Countdown({ engine }: { readonly engine: EngineState }): ReactNode {
  const { text, language } = useTexts()
  const state = engine.snapshot?.state
  if (state?.status !== 'waiting') return null
  const sinceMs = engine.log.find(({ kind }) => kind === 'disconnected')?.atMs ?? Date.now()
  const left = (now: number): string => {
    const leftMs = state.delayMs - (now - sinceMs)
    return leftMs <= 0 ? '' : text('mine.nextAttempt', { time: durationText(leftMs + 999, language) })
  }
  return (
    <p className="muted small">
      <Ticking>{left}</Ticking>
    </p>
  )
}

function NextStepLink({
  explained,
  onStart,
}: {
  readonly explained: MiningExplanation
  readonly onStart: () => void
}): ReactNode {
  const { text } = useTexts()
  switch (explained.next) {
    case 'policy':
      return (
        <Link href="/more/policy" className="button">
          {text('more.policy')}
        </Link>
      )
    case 'health':
      return (
        <Link href="/health" className="button">
          {text('mine.health.title')}
        </Link>
      )
    case 'startHere':
      return (
        <button type="button" className="button" onClick={onStart}>
          {text('mine.startHere')}
        </button>
      )
    default:
      return null
  }
}

function BackupHurdle(): ReactNode {
  const { text } = useTexts()
  return (
    <Notice
      tone="warning"
      role="alert"
      action={
        <Link href="/more/backup" className="button">
          {text('backup.title')}
        </Link>
      }
    >
      {text('mine.needsBackup')}
    </Notice>
  )
}

type StakeOf = { readonly have: bigint | null; readonly need: bigint | null }

function useStake(): StakeOf {
  const engine = useEngine()
  const have = lastValue(useBalance())?.amount ?? null
  return { have, need: engine?.snapshot?.stakes?.token?.minimumStake ?? null }
}

/** True if the balance is enough and not more than a quarter above the stake. */
const isNear = (have: bigint, need: bigint): boolean => have >= need && have * 4n < need * 5n

/** The stake, while it could soon be missing. */
function Stake(): ReactNode {
  const { have, need } = useStake()
  if (have === null || need === null || !isNear(have, need)) return null
  return (
    <Suspense fallback={null}>
      <StakeCard have={have} need={need} />
    </Suspense>
  )
}

function Today({ engine }: { readonly engine: EngineState }): ReactNode {
  const texts = useTexts()
  const { text, language } = texts
  const { totals } = useStoredRewards()
  const { minedTime, lastSignedAtMs } = engine.run
  const { publications } = useMiner()
  const balance = useBalance()
  return (
    <Card title={text('mine.today')}>
      <dl className="facts facts-inline">
        <Fact name={text('mine.earned24h')}>
          <dd>
            <Amount units={totals.day} />
          </dd>
        </Fact>
        <Fact name={text('wallet.balance')}>
          <dd>
            <span className="balance-amount" data-status={balance.status}>
              <Amount units={lastValue(balance)?.amount} />
            </span>
            <BalanceAge />
          </dd>
        </Fact>
        <Fact name={text('mine.lastBlock')}>
          <dd>
            {lastSignedAtMs === null ? (
              '—'
            ) : (
              <Ticking>{(now) => agoText(lastSignedAtMs, now, language)}</Ticking>
            )}
          </dd>
        </Fact>
        <Fact name={text('mine.uptime')}>
          <dd>
            {minedTime === null ? '—' : <Ticking>{(now) => minedTimeText(minedTime, now, texts)}</Ticking>}
          </dd>
        </Fact>
        <Fact name={text('mine.signed')}>
          <dd>
            {text('mine.signedCounts', {
              published: publications.published,
              // Unknown until the chain has been read.
              included: engine.snapshot?.height ? publications.included : '—',
            })}
          </dd>
        </Fact>
      </dl>
      <ApiNotice />
    </Card>
  )
}

/** Says that the page mines while it is open, where no service of a package has said how it mines. */
function UnlessService(): ReactNode {
  const { text } = useTexts()
  const { subscribe, snapshot } = minerService
  const { state } = useSyncExternalStore(subscribe, snapshot, snapshot)
  return state === null ? <p className="muted small">{text('mine.whileOpen')}</p> : null
}

/** Shows the switch that keeps the screen on, in browsers with wake locks, and a sentence that the app has to stay open. */
function KeepAwake(): ReactNode {
  const { brand, keepAwake, preferences } = useApp()
  const { keepAwake: chosen } = usePreferences()
  const { text } = useTexts()
  const isWanted = chosen ?? brand.mining.keepAwake
  return (
    <div className="keep-awake">
      {APP_HAS_SERVICE ? <UnlessService /> : <p className="muted small">{text('mine.whileOpen')}</p>}
      {keepAwake.isPossible && (
        <label className="check small">
          <input
            type="checkbox"
            checked={isWanted}
            onChange={({ currentTarget }) => preferences.set({ keepAwake: currentTarget.checked })}
          />
          <span>{text('mine.keepAwake')}</span>
        </label>
      )}
    </div>
  )
}
