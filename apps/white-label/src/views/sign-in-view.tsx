import { useMiner } from '@hailstone/react'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useApp, useNow } from '../app/app-context.ts'
import type { SignInAnswer } from '../engine/answer-sign-in.ts'
import {
  answerAddress,
  type SignInFault,
  type SignInRequest,
  signInFault,
  signInRequestOf,
} from '../engine/sign-in-request.ts'
import { type LaterKey, useViewTexts } from '../i18n/later-texts.ts'
import { AddressBlocks } from '../parts/address-blocks.tsx'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { ConfirmForm } from './confirm-form.tsx'

const faultKeys: Readonly<Record<SignInFault, LaterKey>> = {
  malformed: 'signIn.malformed',
  unknownPage: 'signIn.unknownPage',
  expired: 'signIn.expired',
  answered: 'signIn.answered',
}

/** Hands an answer to the partner's page. The request leaves the history: going back does not ask again. */
const handOver = (page: string, answer: string): void => location.replace(answerAddress(page, answer))

/** Shows who asks for the account of this person, and what the answer proves. Only the listed pages of the brand get one. */
export function SignInView(): ReactNode {
  const { brand } = useApp()
  const text = useViewTexts('signIn.')
  const [link] = useSearchParams()
  const request = signInRequestOf(link)
  const nowMs = useNow()
  const [end, setEnd] = useState<SignInFault | 'handedOver' | null>(null)
  const fault = end ?? signInFault(request, { pages: brand.links.signIn, nowMs })
  const { host = '' } = URL.canParse(request.page) ? new URL(request.page) : {}

  function take(answer: SignInAnswer): void {
    setEnd(answer.ok ? 'handedOver' : answer.why)
    if (answer.ok) handOver(request.page, JSON.stringify(answer.proof))
  }

  return (
    <Page title={text('signIn.title')} back="/">
      {fault === null ? (
        <Question
          request={request}
          host={host}
          onAnswer={take}
          onRefuse={() => handOver(request.page, 'refused')}
        />
      ) : (
        <>
          {fault === 'handedOver' ? (
            <Notice tone="success" role="status">
              {text('signIn.handedOver', { host })}
            </Notice>
          ) : (
            <Notice tone="warning" role="alert">
              {text(faultKeys[fault], { host })}
            </Notice>
          )}
          <Link href="/" className="button">
            {text('tabs.mine')}
          </Link>
        </>
      )}
    </Page>
  )
}

function Question({
  request,
  host,
  onAnswer,
  onRefuse,
}: {
  readonly request: SignInRequest
  readonly host: string
  readonly onAnswer: (answer: SignInAnswer) => void
  readonly onRefuse: () => void
}): ReactNode {
  const { account } = useApp().host
  const text = useViewTexts('signIn.')
  const { address } = useMiner()
  return (
    <section className="review" aria-label={text('signIn.title')}>
      <dl className="facts">
        <dt>{text('signIn.to')}</dt>
        <dd dir="ltr" data-sign-in="host">
          <strong>{host}</strong>
        </dd>
        <dt>{text('signIn.account')}</dt>
        <dd className="with-identicon">
          <Identicon address={address} />
          <AddressBlocks address={address} />
        </dd>
      </dl>
      <p>{text('signIn.proves', { host })}</p>
      <p>{text('signIn.notPayment')}</p>
      <Notice tone="warning">{text('signIn.cameFrom', { host })}</Notice>
      <ConfirmForm
        action={text('signIn.title')}
        working={text('lock.opening')}
        cancel={text('signIn.refuse')}
        onAgree={(opening, signal) => account.signIn(request, opening, signal)}
        onDone={onAnswer}
        onCancel={onRefuse}
      />
    </section>
  )
}
