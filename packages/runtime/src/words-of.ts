/** Returns the words of a code, for sentences: "no transactions" for `noTransactions`. */
export const wordsOf = (code: string): string =>
  code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
