import { type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp, useEngine, usePreferences } from '../../app/app-context.ts'
import { addedQuietHours, MAX_QUIET_HOURS, type MiningPolicy } from '../../engine/mining-policy.ts'
import { type LaterKey, useLaterTexts, useViewTexts } from '../../i18n/later-texts.ts'
import type { TextOf } from '../../i18n/make-texts.ts'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { inWesternDigits } from '../../text/western-digits.ts'

/**
 * Settings for pausing: what the brand has set, which can only be made stricter. The page says which conditions the browser
 * does not reveal.
 */
export function PolicyView(): ReactNode {
  const { brand, keepAwake, preferences } = useApp()
  const text = useViewTexts('policy.')
  const later = useLaterTexts()
  const { keepAwake: chosen } = usePreferences()
  const [policy, change] = usePolicy()
  if (policy === undefined || later === null) {
    return (
      <Page title={text('more.policy')} back="/more">
        <Loading on="files" />
      </Page>
    )
  }
  const { wifiOnly, chargingOnly, minBattery } = brand.mining
  const knowsBattery = 'getBattery' in navigator
  const knowsLink =
    (navigator as { readonly connection?: { readonly type?: string } }).connection?.type !== undefined
  const ofApp = later('policy.ofApp')
  const unreported = text('policy.unreported')
  return (
    <Page title={text('more.policy')} back="/more">
      <p className="muted">{text('policy.text')}</p>
      <Card>
        <Toggle
          label={text('policy.wifiOnly')}
          help={knowsLink ? (wifiOnly ? ofApp : undefined) : unreported}
          isOn={policy.wifiOnly}
          isFixed={wifiOnly}
          onChange={(isOn) => change({ wifiOnly: isOn })}
        />
        <Toggle
          label={text('policy.chargingOnly')}
          help={knowsBattery ? (chargingOnly ? ofApp : undefined) : unreported}
          isOn={policy.chargingOnly}
          isFixed={chargingOnly}
          onChange={(isOn) => change({ chargingOnly: isOn })}
        />
        <div className="form">
          <KeptField
            label={text('policy.minBattery')}
            help={knowsBattery ? undefined : unreported}
            inputMode="numeric"
            min={minBattery}
            max={90}
            kept={String(policy.minBattery)}
            onKeep={(typed) => {
              // A number field of the browser drops the digits of most scripts.
              const percent = Math.round(Number(inWesternDigits(typed)))
              if (!Number.isNaN(percent)) change({ minBattery: Math.min(90, Math.max(minBattery, percent)) })
            }}
          />
        </div>
        <QuietHours
          ofBrand={brand.mining.quietHours ?? []}
          policy={policy}
          later={later}
          onChange={(quietHours) => change({ quietHours })}
        />
        {keepAwake.isPossible && (
          <Toggle
            label={text('mine.keepAwake')}
            isOn={chosen ?? brand.mining.keepAwake}
            onChange={(isOn) => preferences.set({ keepAwake: isOn })}
          />
        )}
      </Card>
      <p className="muted small">{text('policy.browser')}</p>
    </Page>
  )
}

type Span = MiningPolicy['quietHours'][number]

/** Candidates for new quiet hours: one more than a brand may set, so that one of them is always new. */
const NIGHTS: readonly Span[] = [22, 23, 0, 1, 2, 3, 4, 5].map((hour) => ({
  from: `${String(hour).padStart(2, '0')}:00`,
  to: '07:00',
}))

/** The quiet hours of the brand, which stay, and those of the person. */
function QuietHours({
  ofBrand,
  policy,
  later,
  onChange,
}: {
  readonly ofBrand: MiningPolicy['quietHours']
  readonly policy: MiningPolicy
  readonly later: TextOf<LaterKey>
  readonly onChange: (quietHours: MiningPolicy['quietHours']) => void
}): ReactNode {
  const text = useViewTexts('policy.')
  const more = useRef<HTMLButtonElement>(null)
  const added = addedQuietHours(policy, ofBrand)
  const isOn = ofBrand.length + added.length > 0
  const change = (next: MiningPolicy['quietHours']): void => onChange([...ofBrand, ...next])
  const isNew = (span: Span): boolean => addedQuietHours({ quietHours: [span] }, ofBrand).length > 0
  const night = NIGHTS.filter(isNew).slice(0, 1)
  /** Stores nothing while a span equals one of the brand: people type such values on the way to others. */
  const put = (at: number, part: Partial<Span>): void => {
    const next = added.map((span, index) => (index === at ? { ...span, ...part } : span))
    if (next.every(isNew)) change(next)
  }
  return (
    <>
      <Toggle
        label={text('policy.quietHours')}
        help={ofBrand.length > 0 ? later('policy.ofApp') : undefined}
        isOn={isOn}
        isFixed={ofBrand.length > 0}
        onChange={(isWanted) => change(isWanted ? night : [])}
      />
      {ofBrand.map(({ from, to }) => (
        <p key={`${from} ${to}`} dir="ltr">
          {from} – {to}
        </p>
      ))}
      {added.map((span, at) => (
        <div key={at} className="form form-row">
          <KeptField
            label={text('policy.from')}
            type="time"
            kept={span.from}
            onKeep={(from) => put(at, { from })}
          />
          <KeptField label={text('policy.to')} type="time" kept={span.to} onKeep={(to) => put(at, { to })} />
          <button
            type="button"
            className="icon-button"
            aria-label={`${later('campaign.remove')}: ${span.from} – ${span.to}`}
            onClick={() => {
              change(added.filter((_, index) => index !== at))
              more.current?.focus()
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      {isOn && policy.quietHours.length < MAX_QUIET_HOURS && (
        <button
          ref={more}
          type="button"
          className="button button-quiet"
          onClick={() => change([...added, ...night])}
        >
          {later('policy.add')}
        </button>
      )}
    </>
  )
}

/** Returns the policy with changes that the engine has not confirmed yet, so that a next change builds on them. */
function usePolicy(): readonly [MiningPolicy | undefined, (part: Partial<MiningPolicy>) => void] {
  const { host } = useApp()
  const reported = useEngine()?.policy
  const [policy, setPolicy] = useState(reported)
  const latest = useRef(reported)
  const kept = useRef(reported)
  kept.current = reported
  const asked = useRef(0)
  /** Policies that were sent, oldest first. */
  const sent = useRef<readonly string[]>([])
  const follow = (next: MiningPolicy | undefined): void => {
    latest.current = next
    setPolicy(next)
  }
  const same = JSON.stringify(reported)
  useEffect(() => {
    // States sent before the last change are older than it, also where they are drawn after its answer.
    const isOlder = sent.current.slice(0, -1).includes(String(same)) && sent.current.at(-1) !== same
    if (asked.current === 0 && !isOlder) follow(reported)
  }, [same])
  async function change(part: Partial<MiningPolicy>): Promise<void> {
    if (latest.current === undefined) return
    const next = { ...latest.current, ...part }
    follow(next)
    sent.current = [...sent.current, JSON.stringify(next)]
    asked.current++
    await host.leader.setPolicy(next).then(
      () => void asked.current--,
      () => {
        asked.current--
        // Nothing was stored: the page shows what holds.
        if (asked.current === 0) follow(kept.current)
      },
    )
  }
  return [policy, (part) => void change(part)]
}

/**
 * A field that is saved once its text is complete. Updates of the stored value do not overwrite what is being typed.
 */
function KeptField({
  kept,
  onKeep,
  ...rest
}: {
  readonly label: string
  readonly help?: string | undefined
  readonly kept: string
  readonly onKeep: (typed: string) => void
} & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Field
      {...rest}
      value={typed ?? kept}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value)
        if (currentTarget.value !== '') onKeep(currentTarget.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
