import { type ReactNode, useState } from 'react'
import { useApp, usePreferences, useTexts } from '../../app/app-context.ts'
import { useModeName } from '../../app/use-mode-name.ts'
import { askToNotify, canNotify, mayNotify } from '../../host/notify.ts'
import { canVibrate } from '../../host/vibrate.ts'
import { languageName } from '../../i18n/languages.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { Choice } from '../../parts/choice.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Toggle } from '../../parts/toggle.tsx'

export function LanguageView(): ReactNode {
  const { brand, setLanguage } = useApp()
  const { text, language } = useTexts()
  return (
    <Page title={text('more.language')} back="/more">
      <Card>
        <Choice
          label={text('more.language')}
          value={language}
          options={brand.i18n.enabled.map((tag) => ({ value: tag, label: languageName(tag), language: tag }))}
          onChange={(tag) => void setLanguage(tag)}
        />
      </Card>
    </Page>
  )
}

const modes = ['system', 'device', 'light', 'dark'] as const

export function AppearanceView(): ReactNode {
  const { brand, preferences } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { mode, worth = true, vibrates = true } = usePreferences()
  const nameOf = useModeName()
  // A brand that follows the device chose what the device chooses.
  const choices = modes.filter((one) => one !== 'device' || brand.theme.mode !== 'system')
  return (
    <Page title={text('more.appearance')} back="/more">
      <Card>
        <Choice
          label={text('more.appearance')}
          value={choices.includes(mode) ? mode : 'system'}
          options={choices.map((one) => ({ value: one, label: nameOf(one) }))}
          onChange={(next) => preferences.set({ mode: next })}
        />
      </Card>
      {brand.features.fiat && later !== null && (
        <Card>
          <Toggle
            label={later('worth.show')}
            help={later('worth.help')}
            isOn={worth}
            onChange={(isOn) => preferences.set({ worth: isOn })}
          />
        </Card>
      )}
      {APP_MINES && canVibrate() && later !== null && (
        <Card>
          <Toggle
            label={later('vibrate.first')}
            help={later('vibrate.help')}
            isOn={vibrates}
            onChange={(isOn) => preferences.set({ vibrates: isOn })}
          />
        </Card>
      )}
    </Page>
  )
}

export function NotificationsView(): ReactNode {
  const { preferences } = useApp()
  const { text } = useTexts()
  const { notify } = usePreferences()
  const [isDenied, setDenied] = useState(false)

  async function change(isOn: boolean): Promise<void> {
    const answer = isOn ? await askToNotify().catch(() => 'refused') : 'allowed'
    setDenied(answer === 'refused')
    preferences.set({ notify: isOn && answer === 'allowed' })
  }
  return (
    <Page title={text('more.notifications')} back="/more">
      <Card>
        {canNotify() ? (
          <Toggle
            label={text('notifications.stopped')}
            help={text('notifications.text')}
            isOn={notify && mayNotify()}
            onChange={(isOn) => void change(isOn)}
          />
        ) : (
          <p>{text('notifications.impossible')}</p>
        )}
        {isDenied && (
          <Notice tone="warning" role="alert">
            {text('notifications.denied')}
          </Notice>
        )}
      </Card>
    </Page>
  )
}
