import type { ReactNode } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../../app/app-context.ts'
import type { MiningPolicy } from '../../engine/mining-policy.ts'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Toggle } from '../../parts/toggle.tsx'

/** When mining pauses by itself. What the browser does not tell cannot pause it, and the page says so. */
export function PolicyView(): ReactNode {
  const { host, brand, keepAwake, preferences } = useApp()
  const { text } = useTexts()
  const { keepAwake: chosen } = usePreferences()
  const policy = useEngine()?.policy
  if (policy === undefined) {
    return (
      <Page title={text('more.policy')} back="/more">
        <Loading />
      </Page>
    )
  }
  const change = (part: Partial<MiningPolicy>): void => void host.owner.setPolicy({ ...policy, ...part })
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
          help={knowsLink ? undefined : text('policy.notTold')}
          isOn={policy.wifiOnly}
          onChange={(wifiOnly) => change({ wifiOnly })}
        />
        <Toggle
          label={text('policy.chargingOnly')}
          help={knowsBattery ? undefined : text('policy.notTold')}
          isOn={policy.chargingOnly}
          onChange={(chargingOnly) => change({ chargingOnly })}
        />
        <div className="form">
          <Field
            label={text('policy.minBattery')}
            help={knowsBattery ? undefined : text('policy.notTold')}
            type="number"
            min={0}
            max={90}
            step={5}
            value={policy.minBattery}
            onChange={({ currentTarget }) =>
              change({ minBattery: Math.min(90, Math.max(0, Math.round(Number(currentTarget.value)) || 0)) })
            }
          />
        </div>
        <Toggle
          label={text('policy.quietHours')}
          isOn={quiet !== undefined}
          onChange={(isOn) => change({ quietHours: isOn ? [{ from: '22:00', to: '07:00' }] : [] })}
        />
        {quiet !== undefined && (
          <div className="form form-row">
            <Field
              label={text('policy.from')}
              type="time"
              value={quiet.from}
              onChange={({ currentTarget }) =>
                change({ quietHours: [{ ...quiet, from: currentTarget.value }] })
              }
            />
            <Field
              label={text('policy.to')}
              type="time"
              value={quiet.to}
              onChange={({ currentTarget }) =>
                change({ quietHours: [{ ...quiet, to: currentTarget.value }] })
              }
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
