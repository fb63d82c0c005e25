import {
  amountText,
  type BlockTransaction,
  type Hash,
  type TokenId,
  type TransactionStatus,
} from '@hailstone/protocol'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Named, useMinedName, useNativeName, useTokenName } from './token-names.ts'
import type { Known } from './use-answer.ts'

/** Addresses of the pages. Only the part after the number sign changes. */
export const placeOf = {
  home: () => '#/',
  height: (height: number) => `#/height/${height}`,
  microblock: (hash: string) => `#/microblock/${hash}`,
  transaction: (hash: string) => `#/transaction/${hash}`,
  account: (address: string) => `#/account/${address}`,
  token: (id: string) => `#/token/${id}`,
  tokens: () => '#/tokens',
  miners: () => '#/miners',
}

/** More would grow for as long as the page is open. */
const MAX_PLACES_SHOWN = 5_000

/** Hashes, addresses and ids that were shortened in this window, with the places they led to, the oldest first. */
export const placesShown = new Map<string, string>()

function keepPlace(text: string, place: string): void {
  placesShown.delete(text)
  placesShown.set(text, place)
  const [oldest] = placesShown.keys()
  if (placesShown.size > MAX_PLACES_SHOWN && oldest !== undefined) placesShown.delete(oldest)
}

export const Short = ({
  text,
  to,
}: {
  readonly text: string
  readonly to?: string | undefined
}): JSX.Element => {
  if (to !== undefined) keepPlace(text, to)
  const shown = text.length > 20 ? `${text.slice(0, 10)}…${text.slice(-6)}` : text
  return to === undefined ? (
    <code title={text}>{shown}</code>
  ) : (
    <a href={to} title={text}>
      <code>{shown}</code>
    </a>
  )
}

export const Account = ({ address }: { readonly address: string }): JSX.Element => (
  <Short text={address} to={placeOf.account(address)} />
)

/** Coins with their symbol; a dash while a macroblock is not calculated. */
export function Coins(given: {
  readonly units: bigint | null | undefined
  readonly decimals?: number | undefined
  readonly symbol?: string | undefined
  /** True shows every digit, as the page of a transaction does. */
  readonly isWhole?: boolean
}): JSX.Element {
  const { units, decimals = 10, symbol = '' } = given
  if (units === null || units === undefined) return <span class="number">—</span>
  const exact = `${textOf(units, decimals, Number.POSITIVE_INFINITY)} ${symbol}`.trim()
  const short = `${textOf(units, decimals)} ${symbol}`.trim()
  if (short === exact || given.isWhole === true)
    return (
      <span class="number" style={{ '--letters': exact.length } as never}>
        {exact}
      </span>
    )
  return <Cut short={short} exact={exact} />
}

const textOf = (units: bigint, decimals: number, fractionMax?: number): string =>
  amountText(units, { language: 'en', decimals, fractionMax })

/** An amount of which digits are cut: all of them are where it is pointed at, and shown and copied when it is pressed. */
function Cut({ short, exact }: { readonly short: string; readonly exact: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  return (
    <button
      type="button"
      class="number"
      style={{ '--letters': (isWhole ? exact : short).length } as never}
      title={exact}
      onClick={() => {
        setWhole(!isWhole)
        // Where a page may not write there, the digits are at least seen.
        void navigator.clipboard?.writeText(exact).catch(() => undefined)
      }}
    >
      {isWhole ? exact : short}
    </button>
  )
}

/** Coins of a token that is being asked about. A token that the network does not know has no decimals: then units. */
const CoinsOf = ({
  units,
  token,
}: {
  readonly units: bigint
  readonly token: Named | null | undefined
}): JSX.Element => {
  if (token === undefined) return <span class="number">…</span>
  if (token !== null) return <Coins units={units} decimals={token.decimals} symbol={token.symbol} />
  return (
    <span class="number">
      {units.toString()} <small>units of an unknown token</small>
    </span>
  )
}

/** Coins of a token of which only the id is known. */
export const Amount = (given: { readonly units: bigint; readonly tokenId: TokenId }): JSX.Element => (
  <CoinsOf units={given.units} token={useTokenName(given.tokenId)} />
)

/** Coins of the token that a microblock was mined in. */
export const MinedAmount = (given: { readonly units: bigint; readonly microblock: Hash }): JSX.Element => (
  <CoinsOf units={given.units} token={useMinedName(given.microblock)} />
)

/** Native coins; a dash while a macroblock is not calculated. */
export function NativeAmount({ units }: { readonly units: bigint | null | undefined }): JSX.Element {
  const native = useNativeName()
  return <Coins units={units} decimals={native?.decimals} symbol={native?.symbol} />
}

const words: Readonly<Record<TransactionStatus, string>> = {
  pending: 'pending',
  duplicate: 'duplicate',
  rejected: 'rejected',
  confirmed: 'confirmed',
}

export const Status = ({ status }: { readonly status: TransactionStatus }): JSX.Element => (
  <span class={`status ${status}`}>{words[status]}</span>
)

export const Time = ({ seconds }: { readonly seconds: number }): JSX.Element => {
  const date = new Date(seconds * 1_000)
  const isToday = date.toDateString() === new Date().toDateString()
  const whole = date.toLocaleString(undefined, { hour12: false })
  return (
    <time dateTime={date.toISOString()} title={whole}>
      {isToday ? date.toLocaleTimeString(undefined, { hour12: false }) : whole}
    </time>
  )
}

/** Transactions as a microblock or the newest macroblock holds them. */
export const Transactions = (given: {
  readonly caption: string
  readonly empty: string
  readonly of: readonly BlockTransaction[]
}): JSX.Element => (
  <Table
    caption={given.caption}
    head={['Hash', 'Amount', 'Status', 'From', 'To']}
    empty={given.empty}
    rows={given.of.map(({ hash, from, to, amount, tokenId, status }) => [
      <Short key="hash" text={hash} to={placeOf.transaction(hash)} />,
      <Amount key="amount" units={amount} tokenId={tokenId} />,
      <Status key="status" status={status} />,
      <Account key="from" address={from} />,
      <Account key="to" address={to} />,
    ])}
  />
)

/** Rows of a name and a value. */
export const Facts = ({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[]
}): JSX.Element => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** A table; on a narrow screen, each row is a list of names and values. */
export function Table(given: {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  readonly empty: string
}): JSX.Element {
  const { caption, head, rows, empty } = given
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 ? (
            <tr>
              <td colSpan={head.length}>{empty}</td>
            </tr>
          ) : (
            rows.map((cells, row) => (
              <tr key={String(row)}>
                {cells.map((cell, at) => (
                  <td key={head[at]} data-head={head[at]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </section>
  )
}

/** The faces of something that is asked for: on its way, there, not there, failed with what was known before. */
export function Answered<T>(given: {
  readonly known: Known<T | undefined>
  readonly nothing: string
  readonly children: (value: T) => ComponentChildren
}): JSX.Element {
  const { known, nothing, children } = given
  const { value, failure, isFirst } = known
  return (
    <>
      {failure === undefined ? null : (
        <p class="failure" role="alert">
          {failure}
          {value === undefined ? '' : ' What stands below is what it said last.'}
        </p>
      )}
      {isFirst ? <p>Asking the node …</p> : null}
      {value === undefined ? isFirst || failure !== undefined ? null : <p>{nothing}</p> : children(value)}
    </>
  )
}
