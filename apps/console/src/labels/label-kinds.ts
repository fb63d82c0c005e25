/** Kinds of labelled accounts: transfers of a `payer` are the payouts, and a `campaign` is an agent. */
export const labelKinds = ['payer', 'campaign', 'agent', 'own', 'other'] as const

export type LabelKind = (typeof labelKinds)[number]
