const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

/**
 * WOFF2 fonts that browsers load, drawn for these tests: every letter is a block, and every character 600 thousandths of
 * the font size wide in the regular one, 900 in the bold one. The variable one grows from the one to the other with its
 * weight, 400 to 900.
 */
export const blockFonts = {
  regular: bytesOf(
    'd09GMgABAAAAAAFEAAoAAAAABpwAAAD6AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAAiFoKHDgBNgIkAwgLCAAEIAVpByAb/AXgnwe2OzTquhSNfE3TGx1GqHSCZNlmyz+txtPjq2oOW7oThHgUDiRKnEKhJMKgTzcnmIohm8yGaChnnPNw8XB5TXUmML3+09NaQAkHLbHUE44CoTiEA53sRge/4aPhDcZisp3VakeVL/FhotmvwMsWW3ldW6B/AdqyicJmhLj7CqajkN7yehyx5RuSMPVz6+y7GBIrQoEpAo0JoAFEL0yW+nBoAALB15/vY+Xsf7bqD1734y8OyYMcUBIEtTUa+UId5oEAAES+IBwKlBYgAQDQTgUI8wiQZswr0XPCprVVWrZ/pCdUP5Q7c3Lpmg5xD0oLy/YleFgAAAAA',
  ),
  bold: bytesOf(
    'd09GMgABAAAAAAE4AAoAAAAABpAAAADuAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAAiFoKHDgBNgIkAwgLCAAEIAVgByAb8wXIHge5KfMuK1G/WFBGSDJLUOz325MvmEz3UDRZgqqtMqRfKpICnkiRUMhPT3aTipSl9tEYQYsK5+vpcYswaQtaYqknloZ2s/OFDwc60MWOdPBXI+QpQ2Ha81N+/ImqZvlmpMWvgIsutvK6toD+BXDLJgqbEebdV2A8FNJjXg8DtrxCEsZ+Xp3zL4bEjlBgjEBjBGgA0QujtT5423oDAsHGJf/K6f+06g8e9p++uOaAuss3lARBbQ2omQMHdUcAAFGCAyot2olmtRMBwjwCpDavRM8Jm5a30tTOVc97zn1gbw/XVijmHo3jVkuqAAAA',
  ),
  variable: bytesOf(
    'd09GMgABAAAAAAGUAAwAAAAAB1AAAAFIAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAAiFovJAocODBEATYCJAMICwgABCAFgRYHIBuRBgAuCmxj6nANS52/aWm48HK5GJeOCL4f+/2ecy+imkgvY4lm1hgSIZqnQAokEikSCu3LtMvGeaCdR3EbJCuev/b5A5a8TyaNM9U5rQcPgemtO/4uxwsEbUG7WIhtZYkHkmsSZ0mLPM0l8AzTGy7PPGrBcSk5Ucmz6JpU7vaAjSZm80Ih7G8AZ2WiYDAF9Vq3AM1dIT2m//8fsz5gEpp93Tr1XQyJ0UCvFAbRenU5fbDDvco7BFBAMwIVTYAKIGpHU1dtfA4IhMCkAqZBq4FNP9SqGc8m2As96KQX6y1MWOYJ/mz7nIjf1lJ+4H6p8h81yOWEIkFQZv9DnuEamQAARJ4BaAgUVYAEAECzHRCEdgRIrdoFBM36FVHbhEGjtUq9Voqg0+rOkL043qvY+IBuCTibU7GiDiWHV5A8Zsps00St+mjywQQ=',
  ),
} as const
