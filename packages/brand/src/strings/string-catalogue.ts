/** English texts of the app by key, with `{{name}}` for values. */
export type StringCatalogue = { readonly [key: string]: string }

/**
 * English texts that brands change most often, for checks without the app shell. With the shell, its whole catalogue
 * is used.
 */
export const brandableStrings: StringCatalogue = {
  'welcome.title': 'Welcome to {{app}}',
  'welcome.text': 'Earn {{symbol}} by helping the network agree.',
  'welcome.consent': 'I accept the terms and the privacy policy.',
  'welcome.create': 'Create a wallet',
  'welcome.import': 'I have a wallet',
  'tabs.mine': 'Mine',
  'tabs.rewards': 'Rewards',
  'tabs.wallet': 'Wallet',
  'tabs.invite': 'Invite',
  'tabs.more': 'More',
  'mine.start': 'Start mining',
  'mine.stop': 'Stop mining',
  'mine.state.idle': 'Not mining',
  'mine.state.waiting': 'Waiting for the first task',
  'mine.state.mining': 'Mining',
  'mine.stake.missing': 'You have {{have}} {{symbol}} and need {{need}}: {{missing}} more.',
  'mine.health.title': 'Why am I not earning?',
  'rewards.title': 'Your rewards',
  'rewards.empty': 'No rewards yet. They appear here after the first block you signed.',
  'rewards.total': '{{amount}} {{symbol}} in {{period}}',
  'rewards.count_one': '{{count}} reward',
  'rewards.count_other': '{{count}} rewards',
  'wallet.balance': 'Balance',
  'wallet.send': 'Send',
  'wallet.receive': 'Receive',
  'wallet.fee': 'Fee {{fee}}, the recipient gets {{net}}',
  'invite.title': 'Invite friends',
  'invite.text': 'You and your friend share {{share}} of each reward.',
  'invite.share': 'Mine {{symbol}} with me: {{link}}',
  'invite.agent': 'Your agent',
  'backup.title': 'Back up your key',
  'backup.warning': 'Nobody can restore this key for you, not even {{publisher}}.',
  'legal.disclaimer': 'Rewards are set by the network and can change.',
  'more.support': 'Help and support',
  'more.community': 'Community',
  'about.title': 'About {{app}}',
}
