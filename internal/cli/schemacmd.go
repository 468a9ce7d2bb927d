package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/spf13/cobra"

	"ralph/internal/advise"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/plan"
	"ralph/internal/config"
	"ralph/internal/loop"
	"ralph/internal/planfile"
	"ralph/internal/review/ballot"
	"ralph/internal/schema"
	"ralph/internal/store"
	"ralph/internal/view"
)

func (a *app) configSchemaCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "schema [DIR]",
		Short: "JSON Schema of ralph.yaml, or of all that ralph writes for programs",
		Long: `JSON Schema of ralph.yaml, for editors. With --all also those of what ralph writes
for programs: the objects of --json, events, and the views in .ralph; in one
object by their names, or a file each in DIR.`,
		Example: `  ralph config schema > ralph.schema.json
  ralph config schema --all schemas/
  ralph config schema --all | jq '."ralph.loop/v1"'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case all && len(args) == 1:
				return a.writeSchemas(args[0])
			case all:
				return a.printSchemas()
			case len(args) == 1:
				return exit.UsageError("ralph config schema --all "+args[0], "a folder is for all schemas")
			}
			text, err := config.Schema()
			if err == nil {
				a.Print(string(text))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "of everything that ralph writes for programs")
	return cmd
}

// formats are all that have a schema, in the order of the documentation.
func formats() []schema.Format {
	views := store.ViewTypes()
	return []schema.Format{
		{Name: view.LoopSchema, What: "One loop: run --json, show --json.", Type: reflect.TypeFor[view.Object]()},
		{Name: view.ListSchema, What: "Loops in the order in which people see them: status --json.", Type: reflect.TypeFor[view.ListObject]()},
		{Name: view.PlanRunSchema, What: "The run of a plan: run FILE --json, show PLAN --json.", Type: reflect.TypeFor[view.PlanRun]()},
		{Name: view.SummarySchema, What: "The morning report: report --json.", Type: reflect.TypeFor[view.Summary]()},
		{Name: view.EventSchema, What: "One recorded event: a line of logs --json and --json-events.", Type: reflect.TypeFor[view.EventObject](), Data: loop.Events().Types()},
		{Name: view.ErrorSchema, What: "What went wrong, on standard error.", Type: reflect.TypeFor[view.ErrorObject]()},
		{Name: view.CheckSchema, What: "A loop that its agent drives: loop init, check and status --json.", Type: reflect.TypeFor[view.DrivenObject]()},
		{Name: view.AttemptSchema, What: "The figures of one attempt.", Type: reflect.TypeFor[view.AttemptFigures]()},
		{Name: view.AttemptsSchema, What: "The figures of all attempts: show --attempts --json.", Type: reflect.TypeFor[view.AttemptsObject]()},
		{Name: view.CheckpointSchema, What: "A loop as it was at some time.", Type: reflect.TypeFor[view.CheckpointObject]()},
		{Name: view.CheckpointsSchema, What: "All checkpoints of a loop: show --checkpoints --json.", Type: reflect.TypeFor[view.CheckpointsObject]()},
		{Name: view.MigrateSchema, What: "What was imported from other runners: migrate --json.", Type: reflect.TypeFor[view.Migration]()},
		{Name: view.ServedSchema, What: "One thing that a supervisor did: a line of serve --json.", Type: reflect.TypeFor[view.Served]()},
		{Name: view.ArtifactSchema, What: "A file that a loop offers to others.", Type: reflect.TypeFor[view.Artifact]()},
		{Name: view.ArtifactsSchema, What: "What loops offer to each other: loop artifacts --json.", Type: reflect.TypeFor[view.ArtifactList]()},
		{Name: view.LearnSchema, What: "What was learned: learn list --json.", Type: reflect.TypeFor[view.LearnedObject]()},
		{Name: advise.Schema, What: "One loop or several: advise --json.", Type: reflect.TypeFor[advise.Advice]()},
		{Name: ballot.OutcomeSchema, What: "What reviewers made of a piece of work, with every vote.", Type: reflect.TypeFor[ballot.Outcome]()},
		{Name: ballot.VerdictSchema, What: "What a reviewer answers.", Type: reflect.TypeFor[ballot.Verdict]()},
		{Name: planfile.Schema, What: "A plan: plan show --json, and a plan file of its own.", Type: reflect.TypeFor[planfile.PlanObject]()},
		{Name: plan.DraftedSchema, What: "A plan that an agent has drafted: plan new --json.", Type: reflect.TypeFor[plan.Drafted]()},
		{Name: plan.CheckSchema, What: "Whether a plan is sound and done: plan check --json.", Type: reflect.TypeFor[plan.Check]()},
		{Name: plan.ApprovedSchema, What: "The commands of a plan that a person accepted: plan approve --json.", Type: reflect.TypeFor[plan.Approved]()},
		{Name: plan.ConvertedSchema, What: "A plan in another format: plan import and export --json.", Type: reflect.TypeFor[plan.Converted]()},
		{Name: registryFormat, What: "The loops that have not ended: .ralph/registry.json.", Type: views[registryFormat]},
		{Name: stateFormat, What: "One loop: .ralph/loops/<id>/state.json.", Type: views[stateFormat]},
		{Name: busFormat, What: "One event of any loop: a line of .ralph/log.jsonl.", Type: views[busFormat]},
	}
}

// The formats of the views.
const (
	registryFormat = "ralph.registry/v1"
	stateFormat    = "ralph.state/v1"
	busFormat      = "ralph.bus/v1"
)

// settingsFile is the schema of ralph.yaml, which has its own maker.
const settingsFile = "ralph.yaml.json"

func (a *app) printSchemas() error {
	all := map[string]json.RawMessage{}
	err := eachSchema(func(name, _ string, text []byte) error {
		all[name] = text
		return nil
	})
	if err != nil {
		return err
	}
	return a.Object(all)
}

func (a *app) writeSchemas(dir string) error {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Dir, dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write schemas: %w", err)
	}
	return eachSchema(func(_, file string, text []byte) error {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			return fmt.Errorf("write schemas: %w", err)
		}
		a.Say("wrote %s", filepath.Join(dir, file))
		return nil
	})
}

func eachSchema(visit func(name, file string, text []byte) error) error {
	text, err := config.Schema()
	if err == nil {
		err = visit(config.FileName, settingsFile, text)
	}
	for _, f := range formats() {
		if err == nil {
			text, err = f.Published()
		}
		if err == nil {
			err = visit(f.Name, f.File(), text)
		}
	}
	return err
}
