import type { PaymentInfo, PaymentState } from '@hailstone/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { isPaymentOver } from '../engine/is-payment-over.ts'
import type { TextKey } from '../i18n/texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { Amount } from '../parts/amount.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { countText } from '../text/amount-text.ts'
import { explorerLink } from '../text/explorer-link.ts'
import { dateText } from '../text/time-text.ts'
import { paymentStatusKey } from './payment-status.ts'

type Stage = 'done' | 'now' | 'later' | 'bad'

const bad: ReadonlySet<string> = new Set(['rejected', 'duplicate', 'refused', 'withdrawn'])

/** Returns the stages of a payment: stored and sent, known to the network, calculated. */
function stagesOf(state: PaymentState): readonly { readonly key: TextKey; readonly stage: Stage }[] {
  const { status } = state
  const isSent = status !== 'prepared' && status !== 'withdrawn'
  const isHeld = ['inPool', 'confirmed', 'rejected', 'duplicate', 'superseded'].includes(status)
  const isOver = isPaymentOver(state)
  const end: Stage = isOver && bad.has(status) ? 'bad' : isOver ? 'done' : isHeld ? 'now' : 'later'
  return [
    { key: 'tx.stored', stage: isSent ? 'done' : 'now' },
    { key: 'tx.inPool', stage: isHeld ? 'done' : isOver ? 'later' : isSent ? 'now' : 'later' },
    { key: isOver ? paymentStatusKey(state) : 'tx.waitingForBlock', stage: end },
  ]
}

/** Shows one payment from storing its bytes to its final state, which may be a rejection. */
export function PaymentTimeline({
  payment,
  onAgain,
}: {
  readonly payment: PaymentInfo
  readonly onAgain?: (() => void) | undefined
}): ReactNode {
  const { brand } = useApp()
  const { text, language } = useTexts()
  const { state, hash, to, amount, fee, createdAtMs } = payment
  const key = paymentStatusKey(state)
  const { explorer } = brand.network
  return (
    <section className="timeline" aria-label={text('tx.title')}>
      <div className="hero payment-head" data-status={state.status}>
        {state.status === 'confirmed' && (
          <span className="success-mark" aria-hidden="true">
            <Icon name="check" />
          </span>
        )}
        <HeroAmount units={amount} isWhole />
        <p className="status-line" role="status">
          {text(key)}
        </p>
      </div>
      <ol className="stages" data-status={state.status}>
        {stagesOf(state).map(({ key: name, stage }) => (
          <li key={name} className={`stage stage-${stage}`}>
            <Icon name={stage === 'done' ? 'check' : stage === 'bad' ? 'cross' : 'info'} />
            {text(name)}
          </li>
        ))}
      </ol>
      {key === 'tx.rejected' && <Notice tone="danger">{text('tx.rejectedText')}</Notice>}
      {key === 'tx.refused' && <Notice tone="danger">{text('tx.refusedText')}</Notice>}
      {key === 'tx.uncertain' && <Notice tone="warning">{text('tx.uncertainText')}</Notice>}
      {state.status === 'forgotten' && <Notice tone="info">{text('tx.forgottenText')}</Notice>}
      <Facts
        rows={[
          [text('send.to'), <AddressBlocks key="to" address={to} />],
          [text('send.gross'), <Amount key="gross" units={amount} isWhole />],
          [text('send.fee'), <Amount key="fee" units={fee} isWhole />],
          [text('common.time'), dateText(createdAtMs, language)],
          hash !== null && [
            text('tx.hash'),
            <bdi key="hash" className="hash">
              {hash}
            </bdi>,
          ],
          'place' in state && [text('tx.height'), countText(state.place.height, language)],
        ]}
      />
      <div className="actions">
        {hash !== null && <CopyButton value={hash} label={text('tx.copyHash')} />}
        {hash !== null && explorer !== null && (
          <a
            className="button button-quiet"
            href={explorerLink(explorer, 'transaction', hash)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text('common.explorer')}
          </a>
        )}
        {onAgain !== undefined && isPaymentOver(state) && (
          <button type="button" className="button" onClick={onAgain}>
            {text('send.again')}
          </button>
        )}
        <Link href="/wallet" className="button">
          {text('tabs.wallet')}
        </Link>
      </div>
    </section>
  )
}
