import type { TextKey } from '../i18n/texts.ts'

const faults: Readonly<Record<string, TextKey>> = {
  FEE_ABOVE_CAP: 'send.feeTooHigh',
  PAYMENT_HOPELESS: 'send.hopeless',
  PAYMENT_ALTERED: 'send.feeChanged',
  DECIMALS_DIFFER: 'send.decimals',
  JOURNAL_DAMAGED: 'send.journal',
  JOURNAL_INVALID: 'send.journal',
  JOURNAL_LOCKED: 'send.journal',
  JOURNAL_WRITE_FAILED: 'send.journal',
  // The payment may have been sent, so the text must not invite a second one.
  APPROVAL_LOST: 'tx.uncertainText',
  TRANSACTION_UNCERTAIN: 'tx.uncertainText',
  WORKER_SILENT: 'tx.uncertainText',
}

/** Returns the key of the text for a payment that failed with this code. One whose bytes are stored may still be sent. */
export const sendFaultKey = (code: string, facts: Readonly<Record<string, unknown>> = {}): TextKey =>
  code === 'PAYMENTS_CLOSED' && typeof facts.hash === 'string'
    ? 'tx.uncertainText'
    : (faults[code] ?? 'send.failed')
