/** Functions that compute from what they are given, and nothing else: none runs a statement, reads a file or changes a setting. */
const computing = [
  'count sum min max avg bool_and bool_or string_agg array_agg json_agg jsonb_agg row_number rank',
  'coalesce nullif greatest least cast abs round floor ceil mod random gen_random_uuid md5',
  'lower upper length char_length octet_length substr left right replace concat concat_ws starts_with split_part ltrim rtrim btrim',
  'to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd setweight ts_headline',
  'now date_trunc date_part make_interval to_char to_timestamp',
  'json_build_object jsonb_build_object json_build_array jsonb_build_array to_json to_jsonb jsonb_set jsonb_array_length',
];

/** Words of the language before a bracket. */
const grammar = [
  'select from join where and or not in exists any some all as on when then else case values set by distinct having limit offset',
  'union intersect except between like ilike is using filter over conflict returning array row default interval',
  'numeric decimal varchar char bit time timestamp timestamptz',
];

const known = new Set([...computing, ...grammar].flatMap((line) => line.split(' ')));

/** Whether a word may stand before a bracket in what a plugin has the database do. */
export function mayBeCalled(word: string): boolean {
  return known.has(word);
}
