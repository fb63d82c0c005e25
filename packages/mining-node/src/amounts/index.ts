// What people type, read: apart from the default entry, whose pages count every byte.
export { amountText, formatAmount, parseAddress, parseAmount, toAmount } from '@hailstone/protocol'
