-- Integrity queries: each must return no rows; its only column says what is wrong.

-- name: one_book
select 'there are ' || count(*) || ' books'
from book
having count(*) > 1;

-- name: chapter_numbers_are_unique
select 'chapter ' || no || ' is there ' || count(*) || ' times'
from chapters
group by no
having count(*) > 1
order by no;

-- name: one_row_a_task
select step || ' ch' || chapter || ' is there ' || count(*) || ' times'
from tasks
group by step, chapter
having count(*) > 1
order by 1;

-- name: step_numbers_are_unique
select 'step number ' || step_no || ' is given to ' || string_agg(step, ', ' order by step)
from steps
group by step_no
having count(*) > 1
order by 1;

-- name: step_is_there_once
select step || ' is there ' || count(*) || ' times'
from steps
group by step
having count(*) > 1
order by 1;

-- name: task_has_an_ordered_step
select step || ' ch' || chapter || ' has no place in the order of steps'
from tasks
where step not in (select step from steps)
order by 1;

-- name: task_counts_its_facts
select t.step || ' ch' || t.chapter || ' says ' || t.n_facts || ' facts, there are ' || count(f.fact_id)
from tasks t
left join facts f on f.step = t.step and f.chapter = t.chapter
group by t.step, t.chapter, t.n_facts
having count(f.fact_id) <> t.n_facts
order by 1;

-- name: task_counts_its_issues
select t.step || ' ch' || t.chapter || ' says ' || t.n_issues || ' issues, there are ' || count(i.issue_id)
from tasks t
left join issues i on i.step = t.step and i.chapter = t.chapter
group by t.step, t.chapter, t.n_issues
having count(i.issue_id) <> t.n_issues
order by 1;

-- name: fact_has_a_task
select 'fact ' || f.fact_id || ' is of ' || f.step || ' ch' || f.chapter || ', which was never committed'
from facts f
left join tasks t on t.step = f.step and t.chapter = f.chapter
where t.step is null
order by 1;

-- name: issue_has_a_task
select 'issue ' || i.issue_id || ' is of ' || i.step || ' ch' || i.chapter || ', which was never committed'
from issues i
left join tasks t on t.step = i.step and t.chapter = i.chapter
where t.step is null
order by 1;

-- name: fact_ids_are_unique
select 'fact ' || fact_id || ' is there ' || count(*) || ' times'
from facts
group by fact_id
having count(*) > 1
order by 1;

-- name: fact_rests_on_stored_answers
select 'fact ' || fact_id || ' rests on ' || answer_id || ', which is not stored'
from (
  select fact_id, unnest(cast(because as json) ->> '$[*]') as answer_id
  from facts
) rests
where answer_id not in (select answer_id from answers)
order by 1;

-- name: anchor_has_one_handle
select 'anchor ' || anchor || ' has the handles ' || string_agg(handle, ', ' order by handle)
from handles
group by anchor
having count(*) > 1
order by 1;

-- name: handle_is_given_once
select 'handle ' || handle || ' was given ' || count(*) || ' times'
from handles
where beside = ''
group by handle
having count(*) > 1
order by 1;

-- name: anchor_beside_another_has_its_handle
select 'anchor ' || h.anchor || ' has ' || h.handle || ', ' || h.beside || ', which it stands beside, has not'
from handles h
left join handles f on f.anchor = h.beside and f.handle = h.handle
where h.beside <> '' and f.anchor is null
order by 1;

-- name: chapter_ids_are_unique
select 'the id ' || id || ' is that of ' || count(*) || ' chapters'
from chapters
where id <> 0
group by id
having count(*) > 1
order by 1;

-- name: handle_is_well_formed
select 'handle ' || handle || ' of ' || anchor || ' is not of the form @7'
from handles
where not regexp_full_match(handle, '@[1-9][0-9]*')
order by 1;

-- name: call_starts_once
select 'call ' || call_id || ' was reserved ' || count(*) || ' times'
from call_starts
group by call_id
having count(*) > 1
order by 1;

-- name: call_ends_once
select 'call ' || call_id || ' ended ' || count(*) || ' times'
from call_ends
group by call_id
having count(*) > 1
order by 1;

-- name: call_that_ended_was_reserved
select 'call ' || call_id || ' ended without a reservation'
from call_ends
where call_id not in (select call_id from call_starts)
order by 1;

-- name: money_is_not_negative
select 'call ' || call_id || ' counts ' || counted_nano || ' nano-dollars'
from calls
where counted_nano < 0
order by 1;

-- name: call_has_a_run
select 'call ' || call_id || ' is of run ' || run_id || ', which was never opened'
from call_starts
where run_id not in (select run_id from runs)
order by 1;

-- name: runs_are_unique
select 'run ' || run_id || ' is there ' || count(*) || ' times'
from runs
group by run_id
having count(*) > 1
order by 1;

-- name: decisions_are_unique
select 'decision ' || decision_id || ' is there ' || count(*) || ' times'
from decisions
group by decision_id
having count(*) > 1
order by 1;

-- name: decision_is_of_a_known_kind
select 'decision ' || decision_id || ' is of no known kind: ' || kind
from decisions
where kind not in ('confirm', 'reject', 'rename', 'merge', 'split', 'never_merge', 'reveal', 'undo')
order by 1;

-- name: decision_says_what_it_decides
select 'decision ' || decision_id || ' does not say what it decides'
from decisions
where case when json_valid(payload) then coalesce(payload ->> '$.kind', '') <> kind else true end
order by 1;

-- name: undo_is_of_an_earlier_decision
select 'decision ' || u.decision_id || ' undoes one that is not there, or was taken later'
from decisions u
left join decisions d
  on d.decision_id = (case when json_valid(u.payload) then u.payload ->> '$.decision' end)
  and d.decided_at < u.decided_at and d.kind <> 'undo'
where u.kind = 'undo' and d.decision_id is null
order by 1;

-- name: decision_is_undone_once
select 'decision ' || undone || ' was undone ' || count(*) || ' times'
from (
  select case when json_valid(payload) then payload ->> '$.decision' end as undone
  from decisions
  where kind = 'undo'
) undos
group by undone
having count(*) > 1
order by 1;
