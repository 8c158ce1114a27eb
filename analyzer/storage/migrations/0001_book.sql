-- The first schema of a book. Never edit an applied migration: add a file with the next number.
-- No FOREIGN KEY and no ENUM: in DuckDB both block later changes. Closed vocabularies are checked by the records on the
-- way in and by verify.sql. Text that holds a record is JSON. Times are epoch seconds (UTC), money is whole
-- nano-dollars (1e-9 US dollars), so that sums are exact. "Written by" names the verb of the store.

create table book (
  title varchar not null,             -- shown title; written by put_book
  language varchar not null,          -- language code of the manuscript, e.g. en; written by put_book
  sha256 varchar not null,            -- hex sha256 of the manuscript file; written by put_book
  manuscript_path varchar not null,   -- path as the author gave it; written by put_book
  created_at double not null          -- epoch seconds of the book's init; written by put_book
);

create table chapters (
  no integer not null,                -- 1-based position; written by put_chapters
  kind varchar not null,              -- chapter, prologue, ...: ChapterKind; written by put_chapters
  label varchar not null,             -- printed number, '' where none; written by put_chapters
  title varchar not null,             -- '' where none; written by put_chapters
  text_sha256 varchar not null,       -- hex sha256 of the chapter's text; written by put_chapters
  n_blocks integer not null           -- count of blocks; written by put_chapters
);

create table answers (
  answer_id varchar primary key,      -- the question's reuse key, given once; written by add_answers
  request_hash varchar not null,      -- hash of the bytes sent, model and parameters; written by add_answers
  call_id varchar not null,           -- the call that brought it (calls.call_id); written by add_answers
  step varchar not null,              -- step that asked; written by add_answers
  chapter integer not null,           -- 1-based chapter asked about; written by add_answers
  question_key varchar not null,      -- readable canonical key; written by add_answers
  question varchar not null,          -- JSON of Question, options in the order shown; written by add_answers
  answer varchar not null,            -- JSON of Answer; written by add_answers
  model varchar not null,             -- model as the bill names it; written by add_answers
  answered_by varchar not null,       -- model, gold, rules, hand, scripted, replay; written by add_answers
  wording integer not null,           -- 0 first wording, 1 the other; written by add_answers
  row_hash varchar not null           -- hash of all other columns, checked by verify; written by add_answers
);

create table attempts (
  call_id varchar not null,           -- the call that brought it; written by add_attempts
  request_hash varchar not null,      -- hash of the bytes sent, model and parameters; written by add_attempts
  step varchar not null,              -- step that asked; written by add_attempts
  chapter integer not null,           -- 1-based chapter asked about; written by add_attempts
  pack_size integer not null,         -- count of questions in the pack; written by add_attempts
  reply_text varchar not null,        -- the reply as received, '' where none came; written by add_attempts
  problem varchar not null            -- why it could not be used; written by add_attempts
);

create table steps (
  step varchar not null,              -- name of a step; written by put_step_order, else by the first commit_task
  step_no integer not null            -- 0-based place in the order of facts; written by put_step_order or commit_task
);

create table tasks (
  step varchar not null,              -- written by commit_task
  chapter integer not null,           -- 1-based; written by commit_task
  input_hash varchar not null,        -- hash of everything the task's result depends on; written by commit_task
  n_answers integer not null,         -- count of answers used; written by commit_task
  n_facts integer not null,           -- count of facts stored with it; written by commit_task
  n_issues integer not null           -- count of issues stored with it; written by commit_task
);

create table facts (
  fact_id varchar not null,           -- derived from task and content; written by commit_task
  step varchar not null,              -- the task's step; written by commit_task
  chapter integer not null,           -- the task's chapter, 1-based; written by commit_task
  position integer not null,          -- 0-based place in its task; written by commit_task
  fact_class varchar not null,        -- the fact's class, e.g. relation; written by commit_task
  fact varchar not null,              -- JSON of the fact; written by commit_task
  because varchar not null,           -- JSON array of the answer ids it rests on; written by commit_task
  row_hash varchar not null           -- hash of all other columns but position, checked by verify; written by commit_task
);

create table issues (
  issue_id varchar not null,          -- derived from task and content; written by commit_task
  step varchar not null,              -- the task's step; written by commit_task
  chapter integer not null,           -- the task's chapter, 1-based; written by commit_task
  position integer not null,          -- 0-based place in its task; written by commit_task
  code varchar not null,              -- stable code: IssueCode; written by commit_task
  issue varchar not null              -- JSON of the issue; written by commit_task
);

create table handles (
  anchor varchar not null,            -- what the handle was given for; append-only; written by commit_task
  handle varchar not null             -- @7; never changed, never given twice; written by commit_task
);

create table call_starts (
  call_id varchar not null,           -- one attempt in the bill; written by reserve, before it is sent
  run_id varchar not null,            -- runs.run_id; written by reserve
  step varchar not null,              -- step that asks; written by reserve
  chapter integer not null,           -- 1-based; written by reserve
  model varchar not null,             -- model asked for; written by reserve
  answered_by varchar not null,       -- who is asked; written by reserve
  n_questions integer not null,       -- count of questions in the pack; written by reserve
  attempt integer not null,           -- count of tries before this one; written by reserve
  reserved_nano bigint not null,      -- nano-dollars booked as the worst case, rounded up; written by reserve
  started_at double not null          -- epoch seconds; written by reserve
);

create table call_ends (
  call_id varchar not null,           -- call_starts.call_id; no row: still open; written by settle or close_open_calls
  model varchar not null,             -- model as the provider named it; written by settle
  answered_by varchar not null,       -- who answered; written by settle
  status varchar not null,            -- ok, transient, permanent; lost by close_open_calls
  settled boolean not null,           -- false: counts as spent in full; written by settle, false by close_open_calls
  has_usage boolean not null,         -- false: the provider reported no usage, counts are 0; written by settle
  input bigint not null,              -- tokens neither read from nor written to the cache; written by settle
  cache_read bigint not null,         -- tokens; written by settle
  cache_write bigint not null,        -- tokens; written by settle
  output bigint not null,             -- tokens, reasoning included; written by settle
  reasoning bigint not null,          -- tokens; written by settle
  cost_nano bigint,                   -- nano-dollars, rounded up; NULL: unpriced; written by settle
  ended_at double,                    -- epoch seconds; NULL: not known; written by settle
  detail varchar not null             -- what went wrong, '' where nothing did; written by settle
);

create table runs (
  run_id varchar not null,            -- written by open_run
  model varchar not null,             -- model asked; written by open_run
  confirm_model varchar not null,     -- model asked to confirm, '' where the same; written by open_run
  answered_by varchar not null,       -- who answers; written by open_run
  cap_nano bigint,                    -- nano-dollars; NULL: no cap; written by open_run
  started_at double not null,         -- epoch seconds; written by open_run
  ended_at double,                    -- epoch seconds; NULL: running or killed; written by close_run
  outcome varchar not null            -- how it ended, '' while it runs; written by close_run
);

create table settings (
  name varchar not null,              -- e.g. cap_set_at; written by put_setting
  value varchar not null              -- text, read by whoever wrote it; written by put_setting
);

create table decisions (
  decision_id varchar not null,       -- given once; written by add_decision
  kind varchar not null,              -- what is decided; written by add_decision
  payload varchar not null,           -- JSON whose shape belongs to the kind; written by add_decision
  decided_at double not null          -- epoch seconds; written by add_decision
);

create view calls as                  -- the bill, one row a call; counted_nano is what it counts against the cap
select
  s.call_id, s.run_id, s.step, s.chapter, coalesce(e.model, s.model) as model,
  coalesce(e.answered_by, s.answered_by) as answered_by, s.n_questions, s.attempt,
  coalesce(e.status, 'lost') as status, coalesce(e.settled, false) as settled, coalesce(e.has_usage, false) as has_usage,
  e.input, e.cache_read, e.cache_write, e.output, e.reasoning, e.cost_nano, s.reserved_nano, s.started_at, e.ended_at,
  coalesce(e.detail, '') as detail, e.call_id is null as is_open,
  case when coalesce(e.settled, false) then coalesce(e.cost_nano, 0) else s.reserved_nano end as counted_nano
from call_starts s
left join call_ends e on e.call_id = s.call_id;
