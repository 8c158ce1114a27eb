-- What a chapter is known by wherever it stands, and what it is recognised by when the text was edited.

alter table chapters add column id integer default 0;         -- given once, never again; written by put_chapters
alter table chapters add column origins varchar default '[]'; -- JSON array of ids of chapters its text once stood in; written by put_chapters
alter table chapters add column blocks varchar default '[]';  -- JSON: a digest a sentence by block, as last read; written by put_chapters
update chapters set id = no;

alter table tasks add column model varchar default '';        -- model asked, '' for code alone; written by commit_task
alter table tasks add column code varchar default '';         -- hash of the program that made it, '' not known; written by commit_task

alter table handles add column beside varchar default '';     -- the anchor it stands beside for the same entity, '' for the first; written by commit_task or add_anchors
