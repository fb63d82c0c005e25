export {
  type AccountWatch,
  type AccountWatchParameters,
  createAccountWatch,
} from '../create-account-watch.ts'
