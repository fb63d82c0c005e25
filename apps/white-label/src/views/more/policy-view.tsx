import { type InputHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../../app/app-context.ts'
import type { MiningPolicy } from '../../engine/mining-policy.ts'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Toggle } from '../../parts/toggle.tsx'

/** Settings for pausing. The page says which conditions the browser does not reveal. */
export function PolicyView(): ReactNode {
  const { brand, keepAwake, preferences } = useApp()
  const { text } = useTexts()
  const { keepAwake: chosen } = usePreferences()
  const [policy, change] = usePolicy()
  if (policy === undefined) {
    return (
      <Page title={text('more.policy')} back="/more">
        <Loading />
      </Page>
    )
  }
  const [quiet] = policy.quietHours
  const knowsBattery = 'getBattery' in navigator
  const knowsLink =
    (navigator as { readonly connection?: { readonly type?: string } }).connection?.type !== undefined
  return (
    <Page title={text('more.policy')} back="/more">
      <p className="muted">{text('policy.text')}</p>
      <Card>
        <Toggle
          label={text('policy.wifiOnly')}
          help={knowsLink ? undefined : text('policy.unreported')}
          isOn={policy.wifiOnly}
          onChange={(wifiOnly) => change({ wifiOnly })}
        />
        <Toggle
          label={text('policy.chargingOnly')}
          help={knowsBattery ? undefined : text('policy.unreported')}
          isOn={policy.chargingOnly}
          onChange={(chargingOnly) => change({ chargingOnly })}
        />
        <div className="form">
          <KeptField
            label={text('policy.minBattery')}
            help={knowsBattery ? undefined : text('policy.unreported')}
            type="number"
            min={0}
            max={90}
            step={5}
            kept={String(policy.minBattery)}
            onKeep={(typed) => change({ minBattery: Math.min(90, Math.max(0, Math.round(Number(typed)))) })}
          />
        </div>
        <Toggle
          label={text('policy.quietHours')}
          isOn={quiet !== undefined}
          onChange={(isOn) => change({ quietHours: isOn ? [{ from: '22:00', to: '07:00' }] : [] })}
        />
        {quiet !== undefined && (
          <div className="form form-row">
            <KeptField
              label={text('policy.from')}
              type="time"
              kept={quiet.from}
              onKeep={(from) => change({ quietHours: [{ ...quiet, from }] })}
            />
            <KeptField
              label={text('policy.to')}
              type="time"
              kept={quiet.to}
              onKeep={(to) => change({ quietHours: [{ ...quiet, to }] })}
            />
          </div>
        )}
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

/** Returns the policy with changes that the engine has not confirmed yet, so that a next change builds on them. */
function usePolicy(): readonly [MiningPolicy | undefined, (part: Partial<MiningPolicy>) => void] {
  const { host } = useApp()
  const reported = useEngine()?.policy
  const [policy, setPolicy] = useState(reported)
  const latest = useRef(reported)
  const asked = useRef(0)
  const follow = (next: MiningPolicy | undefined): void => {
    latest.current = next
    setPolicy(next)
  }
  const same = JSON.stringify(reported)
  useEffect(() => {
    // States sent before the last change are older than it.
    if (asked.current === 0) follow(reported)
  }, [same])
  async function change(part: Partial<MiningPolicy>): Promise<void> {
    if (latest.current === undefined) return
    const next = { ...latest.current, ...part }
    follow(next)
    asked.current++
    await host.leader.setPolicy(next).finally(() => asked.current--)
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
