import type { EventErrorCode, HostErrorCode } from '../../errors/facts.ts'
import type { ErrorExplanations } from './error-explanation.ts'

/** Codes of running a network, a bridge or a health port, and of waiting for events. */
export const hostExplanations: ErrorExplanations<HostErrorCode | EventErrorCode> = {
  STORE_LOCKED: {
    title: 'Another process uses the data folder',
    hint: 'Stop the other process, which is named, or choose another folder.',
    causes: [
      {
        cause: 'A local network or demo already runs with this folder.',
        fix: 'Stop it, or pass --data FOLDER.',
      },
      {
        cause:
          'The lock was left by a process of another container or machine, which cannot be checked from here.',
        fix: 'If that process is gone for certain, remove the folder that the message names.',
      },
    ],
    related: ['KEYSTORE_LOCKED', 'JOURNAL_LOCKED', 'KEY_IN_USE'],
  },
  STORE_INVALID: {
    title: 'The stored chain cannot be used',
    hint: 'Start with another data folder, or reset this one.',
    causes: [
      {
        cause: 'Another version of the software wrote it.',
        fix: 'Start anew: --reset, or another --data FOLDER.',
      },
      {
        cause: 'The chain began with keys of another network. This one publishes its keys.',
        fix: 'Use an empty database.',
      },
      {
        cause: 'A calculation of a stored block gives another result: the data was changed.',
        fix: 'Start anew.',
      },
    ],
    related: ['STORE_UNREACHABLE', 'CONFIGURATION_INVALID'],
  },
  PORT_IN_USE: {
    title: 'The port is taken',
    hint: 'Choose another port, or 0 for any free one.',
    causes: [
      {
        cause: 'Another program, often a second copy of this one, listens there.',
        fix: 'Stop it, or pass another port.',
      },
    ],
    related: ['STORE_LOCKED', 'KEY_IN_USE'],
  },
  LEADER_SIGNING_REFUSED: {
    title: 'The leader signature was not made',
    hint: 'Pass secrets within the range of the group and a well-formed statement.',
    causes: [
      {
        cause: 'A scalar is zero or too large, or two scalars lead to the neutral element.',
        fix: 'Draw other scalars.',
      },
      {
        cause: 'The statement has a malformed hash.',
        fix: 'Pass hashes of 64 hex digits. See protocol 8.4.',
      },
    ],
    related: ['HASH_MALFORMED'],
  },
  CONTROL_REFUSED: {
    title: 'The network was left as it is',
    hint: 'Read facts.reason: the control request cannot be carried out in this state.',
    causes: [
      {
        cause: 'A part is away already, a snapshot does not exist, or a height cannot be reached.',
        fix: 'Ask for the state first.',
      },
      { cause: 'Another process of the cluster leads.', fix: 'Send the request to the process that leads.' },
      {
        cause: 'An account has too few coins, or its key is not known to the network.',
        fix: 'Fund it from genesis.',
      },
    ],
    related: ['CONFIGURATION_INVALID', 'LEADERSHIP_LOST'],
  },
  STORE_UNREACHABLE: {
    title: 'The database cannot be used',
    hint: 'Check that the database runs and accepts the user; the password is never shown.',
    causes: [
      {
        cause: 'PostgreSQL does not run, or refuses the connection.',
        fix: 'Check host, port, user and password.',
      },
      {
        cause: 'The connection was lost while the network runs.',
        fix: 'Nothing: it connects again, and answers 503 meanwhile.',
      },
    ],
    related: ['STORE_INVALID', 'LEADERSHIP_LOST'],
  },
  STORE_FULL: {
    title: 'The disk of the database is full',
    hint: 'Make room on the disk of the server; the network goes on by itself.',
    causes: [
      {
        cause: 'The chain, another database or log files filled the disk of the server.',
        fix: 'Remove what is not needed, or make the disk larger. Nothing has to be restarted.',
      },
      {
        cause: 'Files of the log of transactions (pg_wal) are kept for a standby that is gone.',
        fix: 'Drop its replication slot, or set max_slot_wal_keep_size.',
      },
    ],
    related: ['STORE_UNREACHABLE'],
  },
  STORE_NOT_REPLICATED: {
    title: 'The database has no synchronous standby',
    hint: 'Start a standby and name it in synchronous_standby_names; the network goes on by itself.',
    causes: [
      {
        cause: 'The network was started with --require-replica, and the server replicates to nobody.',
        fix: 'Set up a standby and synchronous_standby_names, or start without --require-replica.',
      },
      {
        cause: 'What watches the servers emptied synchronous_standby_names when the last standby was gone.',
        fix: 'Bring a standby back. Patroni never empties it with synchronous_mode_strict.',
      },
      {
        cause: 'The setting synchronous_commit is off or local.',
        fix: 'Set it to on for the user and the database of the network.',
      },
    ],
    related: ['STORE_UNREACHABLE'],
  },
  SOCKET_FAILED: {
    title: 'Cannot listen at this address',
    hint: 'Choose a host that belongs to this machine, and a port above 1023.',
    causes: [
      { cause: 'The host is not an address of this machine.', fix: 'Use 127.0.0.1, ::1 or localhost.' },
      {
        cause: 'Ports below 1024 need more rights than the process has.',
        fix: 'Choose a higher port, or 0.',
      },
    ],
    related: ['PORT_IN_USE'],
  },
  LEADERSHIP_LOST: {
    title: 'Another process leads now',
    hint: 'Nothing: the process goes on as a follower.',
    causes: [
      {
        cause:
          'Several processes share one database. This one did not renew its lease in time, and another took over.',
        fix: 'If it happens often, look for long pauses of the process or of the database.',
      },
    ],
    related: ['STORE_UNREACHABLE', 'CONTROL_REFUSED'],
  },
  EVENT_TIMEOUT: {
    title: 'The event did not come in time',
    hint: 'Look at node.state: why says what the node waits for.',
    causes: [
      {
        cause: 'The time was shorter than what the event needs: a first reward takes several blocks.',
        fix: 'Wait longer, or without timeoutMs and with a signal.',
      },
      { cause: 'The node does not mine.', fix: 'Do what node.state.nextStep says.' },
    ],
    related: ['EVENTS_DROPPED'],
  },
  EVENTS_DROPPED: {
    title: 'Events were not taken in time',
    hint: 'Take events faster than they come, or begin the loop anew.',
    causes: [
      {
        cause: 'The loop waits for something else between two events, and more came than the limit.',
        fix: 'Do slow work outside of the loop, name fewer events, or pass a larger limit.',
      },
    ],
    related: ['EVENT_TIMEOUT'],
  },
}
