import { useMiner } from '@hailstone/react'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { useAsker } from '../../app/use-asker.ts'
import { useSecretSource } from '../../host/device-secret.ts'
import { SecretNotGiven, type SecretSource } from '../../host/secret-source.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { UnlockForm } from '../unlock-form.tsx'

/** Times, in ms, after which a verified passphrase is forgotten: before the device is asked, and while it is. */
const VERIFIED_MS = 60_000
const ASKING_MS = 180_000

/** Sets up and removes what opens the account beside the passphrase: a passkey, or in packages fingerprint or face. */
export function PasskeyCard(): ReactNode {
  const { host, announce } = useApp()
  const { address } = useMiner()
  const later = useLaterTexts()
  const engine = useEngine()
  const passkey = engine?.passkey ?? null
  const source = useSecretSource()
  /** Undefined until the device has answered. */
  const [lack, setLack] = useState<Awaited<ReturnType<SecretSource['lack']>> | undefined>()
  const [isOpen, setOpen] = useState(false)
  const [turn, begin] = useReducer((last: number) => last + 1, 0)
  const [isKept, setKept] = useState(false)
  const state = useRef<HTMLParagraphElement>(null)
  useEffect(() => void source?.lack().then(setLack), [source])
  if (later === null || source === null || lack === undefined) return null
  const { words, forget } = source

  async function remove(): Promise<void> {
    if (passkey === null || later === null) return
    setKept(false)
    try {
      await host.account.removePasskey(address)
    } catch {
      return setKept(true)
    }
    forget(passkey)
    announce(later(words.removed))
    // The button that was pressed goes.
    state.current?.focus()
  }
  return (
    <Card title={later(words.title)}>
      <p ref={state} tabIndex={-1}>
        {later(passkey === null ? words.text : words.isSetUp)}
      </p>
      {lack !== null && <p className="muted">{later(lack.text)}</p>}
      {passkey !== null && (
        <>
          <ActionButton className="button" act={remove}>
            {later(words.remove)}
          </ActionButton>
          <p className="muted small">{later(words.removeText)}</p>
          {isKept && (
            <Notice tone="warning" role="alert">
              {later(words.notRemoved)}
            </Notice>
          )}
        </>
      )}
      {passkey === null && lack?.mayGoOn !== false && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {later(words.setUp)}
        </button>
      )}
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title={later(words.setUp)} instead={state}>
        <SetUp
          key={`${engine?.tabLock} ${turn}`}
          source={source}
          onLeft={begin}
          onDone={() => {
            setOpen(false)
            announce(later(words.isSetUp))
          }}
        />
      </Sheet>
    </Card>
  )
}

/**
 * Verifies the passphrase first, so that a wrong one leaves nothing behind, and asks the device after another press:
 * some browsers allow that only right after one. A passphrase that was verified is forgotten after a minute and when the
 * page is hidden, so that nobody else goes on from there.
 */
function SetUp({
  source: { words, create: make, forget },
  onDone,
  onLeft,
}: {
  readonly source: SecretSource
  readonly onDone: () => void
  /** Called when nobody has gone on with a passphrase that was verified. */
  readonly onLeft: () => void
}): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { address } = useMiner()
  const ask = useAsker()
  const [passphrase, setPassphrase] = useState('')
  const [isVerified, setVerified] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  useEffect(() => {
    if (!isVerified) return
    // The question of the device may cover the page, and takes longer with another device.
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden' && !isAsking) onLeft()
    }
    const timer = setTimeout(onLeft, isAsking ? ASKING_MS : VERIFIED_MS)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onHidden)
    }
  }, [isVerified, isAsking, onLeft])
  if (later === null) return null
  const say = later

  async function verify(typed: string, signal: AbortSignal): Promise<string> {
    await host.account.verify(typed, signal)
    return typed
  }

  async function makeAndAdd(signal: AbortSignal): Promise<void> {
    const made = await make({ app: brand.app.name, cancel: text('common.cancel'), address }, signal)
    try {
      await host.account.addPasskey(passphrase, made, signal)
    } catch (error) {
      forget(made)
      throw error
    } finally {
      made.secret.fill(0)
    }
  }

  async function create(): Promise<void> {
    setNote(null)
    setAsking(true)
    try {
      await ask(makeAndAdd)
      onDone()
    } catch (error) {
      setNote(say(error instanceof SecretNotGiven ? error.reason : words.failed))
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <p>{say(words.setUpText)}</p>
      {isVerified ? (
        <ActionButton className="button button-primary" act={create} working={say('passkey.waiting')}>
          {say(words.create)}
        </ActionButton>
      ) : (
        <UnlockForm
          onUnlock={verify}
          onDone={(verified) => {
            setPassphrase(verified)
            setVerified(true)
          }}
          action="common.continue"
          working="common.working"
        />
      )}
      {note !== null && (
        <Notice tone="info" role="status">
          {note}
        </Notice>
      )}
    </>
  )
}
