import type { DevelopmentAccount } from '@hailstone/ledger'
import { paymentError, readContract } from '@hailstone/protocol'
import { wordsOf } from '@hailstone/runtime'
import type { OrderOutcome, SendOrder } from '../tokens/create-orders.ts'
import { controlRefused } from './control-refused.ts'
import type { MineUntil } from './mine-until.ts'

/**
 * Sends the order of an encoded contract, and resolves when a macroblock holds it.
 *
 * @throws {NodeError} `CONTROL_REFUSED` for what is no contract, `ORDER_REJECTED`
 */
export type SendData = (data: string) => Promise<Pick<OrderOutcome, 'hash' | 'height'>>

export const createSendData =
  (parts: {
    readonly sendOrder: SendOrder
    readonly mineUntil: MineUntil
    /** Account that signs and pays. */
    readonly from: DevelopmentAccount
  }): SendData =>
  async (data) => {
    const reading = readContract(data)
    if (reading.kind === 'refused') throw controlRefused(`the network refuses it with "${reading.message}"`)
    if (reading.kind !== 'contract' || reading.order === null) throw controlRefused('the data is no order')
    const sent = parts.sendOrder(reading.order, { from: parts.from })
    const { hash, height, status, refusal } = await parts.mineUntil(sent)
    if (status === 'rejected')
      throw paymentError('ORDER_REJECTED', { hash, reason: wordsOf(refusal ?? 'aRuleWasBroken') })
    return { hash, height }
  }
