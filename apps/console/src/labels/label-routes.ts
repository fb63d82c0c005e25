import { isAddress } from '@hailstone/protocol'
import { z } from 'zod'
import type { ChangeRoute } from '../change-route.ts'
import { askChain, column, type Figure, type FigureContext, tableOf } from '../figures/figure.ts'
import { plainLine } from '../plain-line.ts'
import { labelKinds } from './label-kinds.ts'
import type { Label, Labels } from './labels.ts'

const LONGEST_LABEL = 100

/** Form of the ids of labels: addresses. */
export const labelId = /^0[23][0-9a-f]{64}$/

/** Answers `/v1/labels`. */
export async function listLabels(context: FigureContext): Promise<Figure> {
  const rows = await askChain(
    context,
    'select address as account, text as label, kind from hailstone_console.label order by kind, text, address',
    [],
  )
  return tableOf(
    [
      column('account', 'Account', 'address'),
      column('label', 'Label', 'text'),
      column('kind', 'Kind', 'text'),
    ],
    rows,
  )
}

/** Every change of labels; server and description are made of these. */
export const labelRoutes: readonly ChangeRoute<Labels>[] = [
  {
    ...{ name: 'setLabel', role: 'admin', action: 'label set', method: 'POST', path: '/v1/labels' },
    summary: 'Labels an account, or changes its label. Payouts are those of payers.',
    body: z.strictObject({
      address: z.string().refine(isAddress, 'an address, 66 hex digits in lower case'),
      text: plainLine(LONGEST_LABEL),
      kind: z.enum(labelKinds),
    }),
    answer: null,
    async run(labels, { body }: { readonly body: Label }) {
      await labels.set(body)
      return { id: body.address }
    },
  },
  {
    ...{ name: 'removeLabel', role: 'admin', action: 'label removed' },
    ...{ method: 'DELETE', path: '/v1/labels/{id}', body: null, answer: null },
    summary: 'Removes the label of the account with this address.',
    run: async (labels, { id }) => ((await labels.remove(id)) ? {} : null),
  },
]
