/** PostgreSQL writes no values into its log: not those of a unique key, nor those of a slow or failed statement. */
export const PRIVATE_LOG = {
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};
