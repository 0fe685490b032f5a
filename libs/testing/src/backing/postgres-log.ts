/** Settings that keep values out of PostgreSQL's log: neither unique keys nor slow or failed statements. */
export const PRIVATE_LOG = {
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};
