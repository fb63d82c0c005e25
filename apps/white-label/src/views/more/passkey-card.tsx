import { useMiner } from '@hailstone/react'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { useApp, useEngine } from '../../app/app-context.ts'
import {
  createPasskey,
  forgetPasskey,
  type PasskeySupport,
  PasskeyWithoutSecret,
  passkeySupport,
} from '../../host/passkey.ts'
import { type LaterKey, useLaterTexts } from '../../i18n/later-texts.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { UnlockForm } from '../unlock-form.tsx'
import { useLeaving } from '../use-leaving.ts'

const lacks: Readonly<Record<PasskeySupport, LaterKey | null>> = {
  full: null,
  device: 'passkey.noDevice',
  secret: 'passkey.noSecret',
  host: 'passkey.noHost',
  browser: 'passkey.noBrowser',
}

/** Times, in ms, after which a verified passphrase is forgotten: before the device is asked, and while it is. */
const VERIFIED_MS = 60_000
const ASKING_MS = 180_000

/** Sets up and removes the passkey of the account, and says what is missing for one. */
export function PasskeyCard(): ReactNode {
  const { host, announce } = useApp()
  const { address } = useMiner()
  const later = useLaterTexts()
  const engine = useEngine()
  const passkey = engine?.passkey ?? null
  const [support, setSupport] = useState<PasskeySupport | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [turn, begin] = useReducer((last: number) => last + 1, 0)
  const [isKept, setKept] = useState(false)
  const state = useRef<HTMLParagraphElement>(null)
  useEffect(() => void passkeySupport().then(setSupport), [])
  if (later === null || support === null) return null
  const lack = lacks[support]

  async function remove(): Promise<void> {
    if (passkey === null || later === null) return
    setKept(false)
    try {
      await host.account.removePasskey(address)
    } catch {
      return setKept(true)
    }
    forgetPasskey(passkey)
    announce(later('passkey.removed'))
    // The button that was pressed goes.
    state.current?.focus()
  }
  return (
    <Card title={later('passkey.title')}>
      <p ref={state} tabIndex={-1}>
        {later(passkey === null ? 'passkey.text' : 'passkey.isSetUp')}
      </p>
      {lack !== null && <p className="muted">{later(lack)}</p>}
      {passkey !== null && (
        <>
          <ActionButton className="button" act={remove}>
            {later('passkey.remove')}
          </ActionButton>
          <p className="muted small">{later('passkey.removeText')}</p>
          {isKept && (
            <Notice tone="warning" role="alert">
              {later('passkey.notRemoved')}
            </Notice>
          )}
        </>
      )}
      {passkey === null && (lack === null || support === 'device') && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {later('passkey.setUp')}
        </button>
      )}
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title={later('passkey.setUp')} instead={state}>
        <SetUp
          key={`${engine?.tabLock} ${turn}`}
          onLeft={begin}
          onDone={() => {
            setOpen(false)
            announce(later('passkey.isSetUp'))
          }}
        />
      </Sheet>
    </Card>
  )
}

/**
 * Verifies the passphrase first, so that a wrong one leaves no passkey behind, and asks the device after another press:
 * some browsers allow that only right after one. A passphrase that was verified is forgotten after a minute and when the
 * page is hidden, so that nobody else goes on from there.
 */
function SetUp({
  onDone,
  onLeft,
}: {
  readonly onDone: () => void
  /** Called when nobody has gone on with a passphrase that was verified. */
  readonly onLeft: () => void
}): ReactNode {
  const { brand, host } = useApp()
  const later = useLaterTexts()
  const { address } = useMiner()
  const leaving = useLeaving()
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
  const words = later

  async function verify(typed: string): Promise<void> {
    await host.account.verify(typed)
    setPassphrase(typed)
    setVerified(true)
  }

  async function create(): Promise<void> {
    setNote(null)
    setAsking(true)
    try {
      const made = await createPasskey({ app: brand.app.name, address }, leaving())
      if (made === null) return setNote(words('passkey.notMade'))
      try {
        await host.account.addPasskey(passphrase, made)
      } catch (error) {
        forgetPasskey(made)
        throw error
      } finally {
        made.secret.fill(0)
      }
      onDone()
    } catch (error) {
      const hasNone = error instanceof PasskeyWithoutSecret
      setNote(words(hasNone ? 'passkey.noSecret' : 'passkey.failed'))
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <p>{words('passkey.setUpText')}</p>
      {isVerified ? (
        <ActionButton className="button button-primary" act={create} working={words('passkey.waiting')}>
          {words('passkey.create')}
        </ActionButton>
      ) : (
        <UnlockForm onUnlock={verify} action="common.continue" working="common.working" />
      )}
      {note !== null && (
        <Notice tone="info" role="status">
          {note}
        </Notice>
      )}
    </>
  )
}
