import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import type { EngineState } from '../engine/engine-state.ts'
import { minerService, type ServiceWords } from '../host/miner-service.ts'
import { askToNotify } from '../host/notify.ts'
import type { TextKey } from '../i18n/texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { momentText } from '../text/time-text.ts'
import { UnlockForm } from './unlock-form.tsx'

/** Gaps shorter than this are no reason to ask for anything, in ms. */
const LONG_GAP_MS = 600_000

const useService = () =>
  useSyncExternalStore(minerService.subscribe, minerService.snapshot, minerService.snapshot)

/** Says if this package mines with the screen off, and asks what Android wants for it when there is a reason. */
export function ScreenOff({ children }: { readonly children: ReactNode }): ReactNode {
  const engine = useEngine()
  const { text } = useTexts()
  const { state, isAsking } = useService()
  const { screenOff } = usePreferences()
  useEffect(() => minerService.setChoice(screenOff), [screenOff])
  if (engine === null || state === null) return children
  return (
    <div className="screen-off">
      <p className="muted small">{text(state.isRunning ? 'screenOff.on' : 'screenOff.off')}</p>
      {!state.isPossible && <p className="muted small">{text('screenOff.tooOld')}</p>}
      <Ended engine={engine} />
      <Gap engine={engine} />
      {state.isPossible && !state.isRunning && !state.isRestricted && (
        <button type="button" className="button button-quiet" onClick={() => minerService.setAsking(true)}>
          {text('screenOff.ask')}
        </button>
      )}
      {/* The screen may go off while the service mines. */}
      {!state.isRunning && children}
      {isAsking && <Question engine={engine} />}
    </div>
  )
}

const endings = {
  person: 'screenOff.endedByPerson',
  memory: 'screenOff.endedByMemory',
  crash: 'screenOff.endedByCrash',
  system: 'screenOff.endedBySystem',
} as const satisfies Readonly<Record<string, TextKey>>

/** Explains the end of a service that nobody has stopped in the app. */
function Ended({ engine }: { readonly engine: EngineState }): ReactNode {
  const { text, language } = useTexts()
  const { state } = useService()
  const { screenOff } = usePreferences()
  if (state?.endedAtMs === undefined || state.isRunning || screenOff !== true) return null
  if ((engine.run.lastSignedAtMs ?? 0) > state.endedAtMs + LONG_GAP_MS) return null
  return (
    <Notice tone="warning" role="status">
      {text(endings[state.endedBy ?? 'system'], { time: momentText(state.endedAtMs, language) })}
    </Notice>
  )
}

/** Returns the newest gap of ten minutes or more. */
const longGap = ({ log }: EngineState) =>
  log.find((entry) => entry.kind === 'gap' && entry.atMs - entry.fromMs >= LONG_GAP_MS)

/** The notice after a long gap in mining. It offers the exemption from battery limits, once for each gap. */
function Gap({ engine }: { readonly engine: EngineState }): ReactNode {
  const { preferences } = useApp()
  const { text, language } = useTexts()
  const { state } = useService()
  const { screenOff, askedForGapMs = 0 } = usePreferences()
  const gap = longGap(engine)
  if (gap?.kind !== 'gap' || state?.isExempt !== false || screenOff !== true) return null
  if (gap.atMs <= askedForGapMs) return null
  const { fromMs, atMs } = gap
  return (
    <Notice
      tone="warning"
      role="status"
      action={
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            preferences.set({ askedForGapMs: Date.now() })
            void minerService.askForExemption()
          }}
        >
          {text('screenOff.allow')}
        </button>
      }
    >
      {text('screenOff.gap', { from: momentText(fromMs, language), to: momentText(atMs, language) })}
    </Notice>
  )
}

/** Says what else keeps the phone from mining with the screen off, with the way to its settings. */
export function ScreenOffHealth(): ReactNode {
  const engine = useEngine()
  const { text } = useTexts()
  const { state } = useService()
  const { askedForGapMs = 0 } = usePreferences()
  const gap = engine === null ? undefined : longGap(engine)
  // A gap from before the exemption was asked for says nothing about it.
  const hasGaps = gap?.kind === 'gap' && gap.fromMs > askedForGapMs
  const key =
    state?.isRestricted === true
      ? 'screenOff.restricted'
      : state?.isExempt === true && hasGaps
        ? 'screenOff.maker'
        : null
  if (key === null) return null
  return (
    <Notice
      tone="warning"
      action={
        <button
          type="button"
          className="button button-small"
          onClick={() => void minerService.openBatterySettings()}
        >
          {text('scan.openSettings')}
        </button>
      }
    >
      {text(key)}
    </Notice>
  )
}

/** The question of how to mine. It asks for the passphrase, because the page of the service opens the key with it. */
function Question({ engine }: { readonly engine: EngineState }): ReactNode {
  const { host, preferences } = useApp()
  const { text } = useTexts()
  const ask = useAsker()
  const { screenOff, wasAskedToNotify } = usePreferences()
  const [isChosen, setChosen] = useState(screenOff === true)
  const [isRefused, setRefused] = useState(false)
  const { account } = engine
  const isSealed = (account.status === 'open' || account.status === 'locked') && account.isSealed
  const close = (): void => minerService.setAsking(false)
  const words: ServiceWords = {
    title: text('mine.state.connecting'),
    text: '',
    stop: text('mine.stop'),
    pause: text('screenOff.pause'),
    continue: text('common.continue'),
    channel: text('screenOff.channel'),
    stoppedChannel: text('notifications.stopped'),
    reopen: text('screenOff.reopen'),
    hidden: text('screenOff.hidden'),
  }

  async function begin(passphrase: string | null): Promise<void> {
    if (passphrase !== null) await ask((signal) => host.account.verify(passphrase, signal))
    if (wasAskedToNotify !== true) {
      preferences.set({ wasAskedToNotify: true })
      // A refusal changes nothing but what can be seen.
      await ask(() => askToNotify().catch(() => undefined))
    }
    preferences.set({ screenOff: true })
    if (await minerService.begin(passphrase, words)) close()
    else setRefused(true)
  }
  const choose = async (): Promise<void> => (isSealed ? setChosen(true) : begin(null))
  function mineWhileOpen(): Promise<void> {
    preferences.set({ screenOff: false })
    return host.miner.start()
  }
  return (
    <Sheet isOpen onClose={close} title={text('screenOff.ask')}>
      <p>{text('screenOff.askText')}</p>
      {isRefused ? (
        <Notice tone="warning" role="alert">
          {text('screenOff.refused')}
        </Notice>
      ) : isChosen && isSealed ? (
        <>
          <p className="muted">{text('screenOff.keepsPassphrase')}</p>
          <UnlockForm onUnlock={begin} action="mine.start" />
        </>
      ) : (
        <ActionButton className="button button-primary" act={choose}>
          {text('screenOff.yes')}
        </ActionButton>
      )}
      <ActionButton className="button" act={mineWhileOpen} onDone={close}>
        {text('screenOff.onlyOpen')}
      </ActionButton>
    </Sheet>
  )
}
