import '../../style/accounts.css'
import type { Address } from '@hailstone/mining-node'
import { useMiner } from '@hailstone/react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { balanceOf } from '../../app/repeated-no.ts'
import { useAsker } from '../../app/use-asker.ts'
import { withoutAccount } from '../../app/without-account.ts'
import type { AccountFacts } from '../../engine/account-list.ts'
import { forgetSecret, useSecretSource } from '../../host/device-secret.ts'
import { type LaterKey, useLaterTexts } from '../../i18n/later-texts.ts'
import type { TextOf } from '../../i18n/make-texts.ts'
import { AddressBlocks } from '../../parts/address-blocks.tsx'
import { Amount } from '../../parts/amount.tsx'
import { NotDone } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { UnlockForm } from '../unlock-form.tsx'
import { useActiveUnsettled, useUnsettled } from './use-unsettled.ts'

type Words = TextOf<LaterKey>
type Asked = { readonly what: 'activate' | 'rename' | 'remove'; readonly of: AccountFacts }

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
const nameOf = ({ name, address }: AccountFacts): string => name ?? shortAddress(address)

/** The accounts of this browser: what each has, and which one is active. */
export function AccountsView(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const words = useLaterTexts()
  const account = useEngine()?.account
  const source = useSecretSource()
  const [accounts, setAccounts] = useState<readonly AccountFacts[] | null>(null)
  const [fault, setFault] = useState<unknown>()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [turn, setTurn] = useState(0)
  const stored = account?.status === 'open' || account?.status === 'locked' ? account : null
  // Another tab may change what is active; the state of the engine tells.
  const known = `${stored?.address} ${stored?.isBackedUp} ${turn}`
  useEffect(() => {
    let isOver = false
    host.account.accounts().then(
      (found) => {
        if (!isOver) setAccounts(found)
      },
      (error: unknown) => {
        if (!isOver) setFault(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [host, known])
  if (words === null) return <Loading on="files" />
  // The last list stays; without any, the view says that it did not open, and offers to try again.
  if (accounts === null && fault !== undefined) throw fault
  if (accounts === null) return <Loading on="engine" />
  const close = (): void => {
    setAsked(null)
    setTurn(turn + 1)
  }
  return (
    <Page title={words('accounts.title')} back="/more">
      <p>{words('accounts.text')}</p>
      {accounts.map((one) => (
        <Account
          key={one.address}
          account={one}
          words={words}
          isOnly={accounts.length < 2}
          onAsk={setAsked}
        />
      ))}
      {stored?.isSealed === false ? (
        <Notice tone="info">{words('accounts.needsPassphrase')}</Notice>
      ) : (
        <Link href="/more/accounts/add" className="button">
          {words('accounts.add')}
        </Link>
      )}
      {source !== null && <p className="muted small">{words(source.words.perAccount)}</p>}
      <Sheet
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === null
            ? ''
            : asked.what === 'remove'
              ? text('security.forget')
              : words(`accounts.${asked.what}`)
        }
      >
        {asked !== null && <p className="account-name">{nameOf(asked.of)}</p>}
        {asked?.what === 'activate' && <Activate of={asked.of} words={words} onDone={close} />}
        {asked?.what === 'rename' && <Rename of={asked.of} words={words} onDone={close} />}
        {asked?.what === 'remove' && <Remove of={asked.of} words={words} onDone={close} />}
      </Sheet>
    </Page>
  )
}

function Account({
  account,
  words,
  isOnly,
  onAsk,
}: {
  readonly account: AccountFacts
  readonly words: Words
  readonly isOnly: boolean
  readonly onAsk: (asked: Asked) => void
}): ReactNode {
  const { text } = useTexts()
  const { address, isActive, isBackedUp } = account
  const balance = useBalanceOf(address)
  const ask = (what: Asked['what']) => () => onAsk({ what, of: account })
  return (
    <Card
      title={nameOf(account)}
      aside={
        isActive && (
          <span className="chip">
            <Icon name="check" />
            {words('accounts.active')}
          </span>
        )
      }
    >
      <AddressBlocks address={address} />
      <p className="amount-line">
        <Amount units={balance} />
      </p>
      <p className={isBackedUp ? 'muted small' : 'fault'}>
        {words(isBackedUp ? 'accounts.backedUp' : 'accounts.notBackedUp')}
      </p>
      <div className="account-actions">
        {!isActive && (
          <button type="button" className="button button-small" onClick={ask('activate')}>
            {words('accounts.activate')}
          </button>
        )}
        <button type="button" className="button button-quiet button-small" onClick={ask('rename')}>
          {words('accounts.rename')}
        </button>
        {!isOnly && (
          <button type="button" className="button button-quiet button-small" onClick={ask('remove')}>
            {text('security.forget')}
          </button>
        )}
      </div>
    </Card>
  )
}

/** Returns the balance of any account in the mined token; undefined until it was read. */
function useBalanceOf(address: Address): bigint | undefined {
  const { host } = useApp()
  const { tokenId } = useMiner()
  const [amount, setAmount] = useState<bigint>()
  useEffect(() => {
    let isOver = false
    balanceOf(host.client, { address, tokenId }).then(
      (balance) => {
        if (!isOver) setAmount(balance.amount)
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [host, address, tokenId])
  return amount
}

type OfAccount = { readonly of: AccountFacts; readonly words: Words; readonly onDone: () => void }

function Activate({ of: { address }, words, onDone }: OfAccount): ReactNode {
  const { host } = useApp()
  const unsettled = useActiveUnsettled()
  return (
    <>
      <p>{words('accounts.activateText')}</p>
      {unsettled !== 0 && <Notice tone="warning">{words('accounts.leaveUnsettled')}</Notice>}
      <UnlockForm
        onUnlock={(passphrase, signal) => host.account.activate(address, passphrase, signal)}
        onDone={onDone}
        action="common.continue"
      />
    </>
  )
}

function Rename({ of: { address, name }, words, onDone }: OfAccount): ReactNode {
  const { host } = useApp()
  const ask = useAsker()
  const [next, setNext] = useState(name ?? '')
  const [hasFailed, setFailed] = useState(false)
  function rename(event: FormEvent): void {
    event.preventDefault()
    setFailed(false)
    ask(() => host.account.rename(address, next)).then(onDone, () => setFailed(true))
  }
  return (
    <form className="form" onSubmit={rename} autoComplete="off">
      <Field
        label={words('accounts.name')}
        help={words('accounts.nameHelp')}
        maxLength={40}
        value={next}
        onInput={({ currentTarget }) => setNext(currentTarget.value)}
      />
      <button type="submit" className="button button-primary">
        {words('accounts.save')}
      </button>
      {hasFailed && <NotDone />}
    </form>
  )
}

/** Says what is lost, and removes an account after the passphrase. */
function Remove({ of: account, words, onDone }: OfAccount): ReactNode {
  const { host, preferences } = useApp()
  const { text } = useTexts()
  const { address, isActive, isBackedUp, passkey } = account
  const unsettled = useUnsettled(account)
  const source = useSecretSource()
  async function remove(passphrase: string, signal: AbortSignal): Promise<void> {
    await host.account.removeAccount(address, passphrase, signal)
    if (passkey !== null) void forgetSecret(passkey)
    preferences.set(withoutAccount(preferences.snapshot(), address))
  }
  if (unsettled === undefined) return <Loading on="engine" />
  return (
    <>
      <Notice tone="danger">
        {isBackedUp ? text('security.forgetWarning') : words('accounts.removeNotBackedUp')}
      </Notice>
      {unsettled !== 0 && <Notice tone="warning">{words('accounts.removeUnsettled')}</Notice>}
      {isActive && <p>{words('accounts.removeActive')}</p>}
      {passkey !== null && source !== null && <p className="muted small">{words(source.words.removeText)}</p>}
      <UnlockForm onUnlock={remove} onDone={onDone} action="security.forget" working="common.working" />
    </>
  )
}
